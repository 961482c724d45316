import { describe, expect, test } from 'vitest';
import { openTurns } from '../../../support/dialogue/user-turns.ts';

describe('the end of a turn', () => {
  test('follows a finished sentence at once', () => {
    const turns = openTurns();
    turns.answers = { text: 'What time is it?', probability: 0.98 };

    turns.speak(1_000);
    turns.pause(200);

    expect(turns.texts).toEqual(['What time is it?']);
    expect(turns.effects('commit')).toMatchObject([{ startedAt: 32, stoppedAt: 1_024 }]);
  });

  test('needs a silence longer than those between words, however fast the models are', () => {
    const turns = openTurns();
    turns.answers = { text: 'Yes.', probability: 0.98 };

    turns.speak(500);
    turns.pause(160);
    expect(turns.effects('anticipate')).toHaveLength(1);
    expect(turns.texts).toEqual([]);

    turns.pause(64);
    expect(turns.texts).toEqual(['Yes.']);
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
    turns.answers = { text: 'No,', end: 'unclear', probability: 0.97 };

    turns.speak(500);
    turns.pause(192);
    expect(turns.texts).toEqual([]);

    turns.pause(96);
    expect(turns.texts).toEqual(['No,']);
  });

  test.each([
    [0.99, 250],
    [0.96, 1_600],
    ['unknown', 1_600],
    [0.1, 3_000],
  ] as const)('depends on the voice when the words leave it open: %s', (probability, ms) => {
    const turns = openTurns();
    turns.answers = { text: 'Do you know if that?', end: 'unclear', probability };

    turns.speak(500);
    turns.pause(ms - 100);
    expect(turns.texts).toEqual([]);

    turns.pause(200);
    expect(turns.texts).toHaveLength(1);
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

  test('transcribes speech without a pause once in 25 s, and keeps all of its words', () => {
    const turns = openTurns();
    turns.speak(25_500);
    expect(turns.effects('transcribe')).toHaveLength(1);

    const [{ id }] = turns.effects('transcribe') as unknown as [{ id: number }];
    const transcript = { text: 'A long', kind: 'interruption', end: 'unclear' } as const;
    turns.on({ type: 'transcribed', id, at: 25_600, ...transcript });
    turns.answers = { text: 'story.', probability: 0.9 };
    turns.speak(2_000);
    turns.pause(200);

    expect(turns.effects('transcribe')).toHaveLength(2);
    expect(turns.texts).toEqual(['A long story.']);
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

/** Seconds of speech at which it is transcribed. */
function transcribedAt(interims: 'streaming' | 'repeated'): number[] {
  const turns = openTurns({ interims });
  turns.speak(8_000);
  const effects = turns.effects('transcribe') as { goesOn: boolean; to: number }[];
  expect(effects.every(({ goesOn }) => goesOn)).toBe(true);
  return effects.map(({ to }) => Math.round(to / 100) / 10);
}

describe('a recogniser that transcribes speech that goes on', () => {
  test('is asked twice a second when it continues where it was', () => {
    const seconds = transcribedAt('streaming');

    expect(seconds.length).toBeGreaterThan(14);
    expect(seconds.length).toBeLessThan(18);
  });

  test('is asked about the first seconds only when it begins anew each time', () => {
    expect(transcribedAt('repeated')).toEqual([1, 1.9, 2.8, 3.7]);
  });

  test('is asked once more when the user pauses', () => {
    const turns = openTurns({ interims: 'streaming' });
    turns.speak(1_000);
    turns.pause(200);

    expect(turns.effects('transcribe').at(-1)).toMatchObject({ from: 0, goesOn: false });
  });
});
