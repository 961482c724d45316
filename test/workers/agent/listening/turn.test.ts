import { describe, expect, test } from 'vitest';
import { DEFAULT_TURN_TAKING, type TurnTaking } from '#protocol/turn-taking.ts';
import type { OverlapKind } from '../../../../workers/agent/listening/overlap.ts';
import type { SentenceEnd } from '../../../../workers/agent/listening/sentence-end.ts';
import {
  advance,
  QUIET,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
} from '../../../../workers/agent/listening/turn.ts';
import { turnSettings } from '../../../../workers/agent/listening/turn-settings.ts';

const WINDOW_MS = 32;

type Answers = {
  text?: string;
  kind?: OverlapKind;
  end?: SentenceEnd;
  probability?: number | 'unknown';
};

/** A user in a call, whose speech the models answer at once. */
function openTurns({
  turnTaking = {},
  transcribesEarly = true,
}: { turnTaking?: Partial<TurnTaking>; transcribesEarly?: boolean } = {}) {
  const settings = turnSettings({ ...DEFAULT_TURN_TAKING, ...turnTaking }, transcribesEarly);
  let state: TurnState = QUIET;
  let at = 0;
  const effects: { at: number; effect: TurnEffect }[] = [];
  const turns = {
    isAgentActive: false,
    answers: {} as Answers,
    on(event: TurnEvent): void {
      const step = advance(state, event, { settings, isAgentActive: turns.isAgentActive });
      state = step.state;
      for (const effect of step.effects) {
        effects.push({ at, effect });
        if (effect.type === 'interrupt') turns.isAgentActive = false;
        turns.answer(effect);
      }
    },
    answer(effect: TurnEffect): void {
      const { text, kind = 'interruption', end = 'finished', probability } = turns.answers;
      if (effect.type === 'transcribe' && text !== undefined)
        turns.on({ type: 'transcribed', id: effect.id, at, text, kind, end });
      if (effect.type === 'judge_end' && probability !== undefined)
        turns.on({ type: 'judged', id: effect.id, at, probability });
    },
    /** Sound with a voice, or without. */
    hear(ms: number, isVoice: boolean): void {
      for (const until = at + ms; at < until;) {
        at += WINDOW_MS;
        turns.on({ type: 'audio', at, probability: isVoice ? 0.9 : 0.1 });
      }
    },
    speak: (ms: number) => turns.hear(ms, true),
    pause: (ms: number) => turns.hear(ms, false),
    mute: () => turns.on({ type: 'muted', at }),
    fallSilent(asked = false): void {
      turns.isAgentActive = false;
      turns.on({ type: 'agent_silent', at, asked });
    },
    effects: (type: TurnEffect['type']) =>
      effects.filter(({ effect }) => effect.type === type).map(({ effect }) => effect),
    get texts(): string[] {
      return effects.flatMap(({ effect }) => (effect.type === 'commit' ? [effect.text] : []));
    },
    get state() {
      return state.type;
    },
  };
  return turns;
}

describe('the end of a turn', () => {
  test('follows a finished sentence at once', () => {
    const turns = openTurns();
    turns.answers = { text: 'What time is it?', probability: 0.98 };

    turns.speak(1_000);
    turns.pause(200);

    expect(turns.texts).toEqual(['What time is it?']);
    expect(turns.effects('commit')).toMatchObject([{ startedAt: 32, stoppedAt: 1_024 }]);
  });

  test('waits for three seconds in the middle of a sentence', () => {
    const turns = openTurns();
    turns.answers = { text: 'My number is', end: 'unfinished', probability: 0.9 };

    turns.speak(1_000);
    turns.pause(2_900);
    expect(turns.texts).toEqual([]);

    turns.pause(200);
    expect(turns.texts).toEqual(['My number is']);
  });

  test('waits a moment when the words may go on', () => {
    const turns = openTurns();
    turns.answers = { text: 'No,', end: 'unclear', probability: 0.9 };

    turns.speak(500);
    turns.pause(320);
    expect(turns.texts).toEqual([]);

    turns.pause(160);
    expect(turns.texts).toEqual(['No,']);
  });

  test('waits when neither the voice nor the words have ended', () => {
    const turns = openTurns();
    turns.answers = { text: 'so I thought', end: 'unclear', probability: 0.1 };

    turns.speak(1_000);
    turns.pause(2_900);

    expect(turns.texts).toEqual([]);
  });

  test('waits a little when only the words have ended', () => {
    const turns = openTurns();
    turns.answers = { text: 'I had a bad day.', probability: 0.1 };

    turns.speak(1_000);
    turns.pause(800);
    expect(turns.texts).toEqual([]);

    turns.pause(200);
    expect(turns.texts).toEqual(['I had a bad day.']);
  });

  test.each([
    ['low', 1_500],
    ['high', 4_500],
  ] as const)('depends on the patience of the agent: %s', (patience, waitMs) => {
    const turns = openTurns({ turnTaking: { patience } });
    turns.answers = { text: 'I would like to', end: 'unfinished', probability: 0.1 };

    turns.speak(1_000);
    turns.pause(waitMs - 100);
    expect(turns.texts).toEqual([]);

    turns.pause(200);
    expect(turns.texts).toHaveLength(1);
  });

  test('follows a fixed silence without a model for it', () => {
    const turns = openTurns();
    turns.answers = { text: 'What time is it?', probability: 'unknown' };

    turns.speak(1_000);
    turns.pause(700);
    expect(turns.texts).toEqual([]);

    turns.pause(200);
    expect(turns.texts).toEqual(['What time is it?']);
  });

  test('follows at once when the microphone is turned off', () => {
    const turns = openTurns();
    turns.answers = { text: 'I would like to', end: 'unfinished', probability: 0.1 };

    turns.speak(1_000);
    turns.mute();

    expect(turns.texts).toEqual(['I would like to']);
  });

  test('comes after all that is said in one turn', () => {
    const turns = openTurns();
    turns.answers = { text: 'My number is', end: 'unfinished', probability: 0.1 };
    turns.speak(1_000);
    turns.pause(1_000);

    turns.answers = { text: 'zero one seven.', end: 'finished', probability: 0.9 };
    turns.speak(1_000);
    turns.pause(200);

    expect(turns.texts).toEqual(['My number is zero one seven.']);
  });

  test('examines speech again after a short gap', () => {
    const turns = openTurns();
    turns.answers = { text: 'I', end: 'unfinished', probability: 0.1 };
    turns.speak(500);
    turns.pause(160);

    turns.answers = { text: 'I have a question.', probability: 0.9 };
    turns.speak(500);
    turns.pause(200);

    expect(turns.texts).toEqual(['I have a question.']);
  });

  test('ignores answers about an earlier pause', () => {
    const turns = openTurns();
    turns.speak(500);
    turns.pause(160);
    const [stale] = turns.effects('transcribe') as { id: number }[];
    turns.speak(500);

    turns.on({
      type: 'transcribed',
      id: stale!.id,
      at: 2_000,
      text: 'I',
      kind: 'interruption',
      end: 'finished',
    });
    turns.on({ type: 'judged', id: stale!.id, at: 2_000, probability: 0.99 });

    expect(turns.state).toBe('speaking');
    expect(turns.texts).toEqual([]);
  });

  test('does not follow a sound without words', () => {
    const turns = openTurns();
    turns.answers = { text: '', kind: 'nothing', end: 'unclear', probability: 0.9 };

    turns.speak(300);
    turns.pause(3_500);

    expect(turns.texts).toEqual([]);
    expect(turns.state).toBe('quiet');
  });

  test('does not follow a click', () => {
    const turns = openTurns();

    turns.speak(32);
    turns.pause(1_000);

    expect(turns.effects('transcribe')).toEqual([]);
  });
});

describe('an answer ahead of time', () => {
  test('is asked for once while the agent waits, and dropped when the user goes on', () => {
    const turns = openTurns();
    turns.answers = { text: 'I had a bad day.', probability: 0.1 };

    turns.speak(1_000);
    turns.pause(600);
    expect(turns.effects('anticipate')).toEqual([{ type: 'anticipate', text: 'I had a bad day.' }]);

    turns.speak(200);
    expect(turns.effects('retract')).toHaveLength(1);
  });

  test('is asked for before the judgement, if the words are finished', () => {
    const turns = openTurns();
    turns.answers = { text: 'What time is it?' };
    turns.speak(1_000);
    turns.pause(160);
    expect(turns.effects('anticipate')).toHaveLength(1);

    turns.answers = { text: 'so I thought', end: 'unclear' };
    turns.speak(1_000);
    turns.pause(160);
    expect(turns.effects('anticipate')).toHaveLength(1);
  });

  test('is asked for three times in a turn at most', () => {
    const turns = openTurns();
    turns.answers = { text: 'and then', end: 'unfinished', probability: 0.1 };

    for (let i = 0; i < 5; i++) {
      turns.speak(500);
      turns.pause(500);
    }

    expect(turns.effects('anticipate')).toHaveLength(3);
  });
});

describe('a recogniser that costs money', () => {
  test('is asked when the turn is probably over', () => {
    const turns = openTurns({ transcribesEarly: false });
    turns.answers = { text: 'What time is it?', probability: 0.98 };

    turns.speak(1_000);
    turns.pause(200);

    expect(turns.texts).toEqual(['What time is it?']);
  });

  test('is not asked in short pauses of a sentence', () => {
    const turns = openTurns({ transcribesEarly: false });
    turns.answers = { text: 'so I thought', end: 'unclear', probability: 0.1 };

    turns.speak(1_000);
    turns.pause(400);
    turns.speak(1_000);
    expect(turns.effects('transcribe')).toEqual([]);

    turns.pause(600);
    expect(turns.effects('transcribe')).toHaveLength(1);
  });

  test('is not needed to interrupt the agent', () => {
    const turns = openTurns({ transcribesEarly: false });
    turns.isAgentActive = true;

    turns.speak(1_000);

    expect(turns.effects('interrupt')).toHaveLength(1);
    expect(turns.effects('transcribe')).toEqual([]);
  });
});

describe('speech over the agent', () => {
  test('interrupts it before its end, and becomes a turn', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'But what does it cost?', probability: 0.9 };

    turns.speak(600);
    expect(turns.effects('interrupt')).toHaveLength(1);

    turns.speak(400);
    turns.pause(200);
    expect(turns.effects('interrupt')).toHaveLength(1);
    expect(turns.texts).toEqual(['But what does it cost?']);
  });

  test('interrupts it with a short word', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Stop.', kind: 'command', probability: 0.9 };

    turns.speak(300);
    turns.pause(200);

    expect(turns.effects('interrupt')).toHaveLength(1);
    expect(turns.effects('commit')).toMatchObject([{ text: 'Stop.', isCommand: true }]);
  });

  test('is no command when the agent was silent', () => {
    const turns = openTurns();
    turns.answers = { text: 'Stop.', kind: 'command', probability: 0.9 };

    turns.speak(300);
    turns.pause(200);

    expect(turns.effects('commit')).toMatchObject([{ isCommand: false }]);
  });

  test.each(['backchannel', 'nothing', 'echo', 'undecided'] as const)(
    'does not interrupt it as %s',
    (kind) => {
      const turns = openTurns();
      turns.isAgentActive = true;
      turns.answers = { text: 'Okay.', kind, probability: 0.9 };

      turns.speak(1_000);
      turns.pause(1_000);

      expect(turns.effects('interrupt')).toEqual([]);
      expect(turns.texts).toEqual([]);
      expect(turns.state).toBe('quiet');
    },
  );

  test('interrupts an easily interrupted agent whatever it says', () => {
    const turns = openTurns({ turnTaking: { interruptibility: 'high' } });
    turns.isAgentActive = true;

    turns.speak(300);

    expect(turns.effects('interrupt')).toHaveLength(1);
  });

  test('gets the floor when the agent falls silent', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Yes.', kind: 'backchannel', probability: 0.9 };

    turns.speak(300);
    turns.fallSilent();
    turns.pause(200);

    expect(turns.texts).toEqual(['Yes.']);
  });

  test('answers the question at whose end it was said', () => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Yes.', kind: 'backchannel', probability: 0.9 };
    turns.speak(300);
    turns.pause(800);
    expect(turns.state).toBe('quiet');

    turns.fallSilent(true);

    expect(turns.texts).toEqual(['Yes.']);
  });

  test.each([
    ['no question', 800, false],
    ['a question that ends much later', 3_000, true],
  ])('does not answer %s', (_, pauseMs, asked) => {
    const turns = openTurns();
    turns.isAgentActive = true;
    turns.answers = { text: 'Yes.', kind: 'backchannel', probability: 0.9 };
    turns.speak(300);
    turns.pause(pauseMs);

    turns.fallSilent(asked);

    expect(turns.texts).toEqual([]);
  });
});
