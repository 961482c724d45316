import { DEFAULT_TURN_TAKING, type TurnTaking } from '#protocol/voice/turn-taking.ts';
import type { OverlapKind } from '../../../workers/agent/listening/overlap.ts';
import type { SentenceEnd } from '../../../workers/agent/listening/sentence-end.ts';
import {
  advance,
  QUIET,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
} from '../../../workers/agent/listening/turn.ts';
import { turnSettings } from '../../../workers/agent/listening/turn-settings.ts';

const WINDOW_MS = 32;

type Answers = {
  text?: string;
  kind?: OverlapKind;
  end?: SentenceEnd;
  probability?: number | 'unknown';
};

/** A user in a call, whose speech the models answer at once. */
export function openTurns({
  turnTaking = {},
  transcribesEarly = true,
  interims,
}: {
  turnTaking?: Partial<TurnTaking>;
  transcribesEarly?: boolean;
  interims?: 'streaming' | 'repeated';
} = {}) {
  const allTurnTaking = { ...DEFAULT_TURN_TAKING, ...turnTaking };
  const settings = turnSettings(allTurnTaking, transcribesEarly, interims);
  let state: TurnState = QUIET;
  let at = 0;
  const effects: { at: number; effect: TurnEffect }[] = [];
  const turns = {
    isAgentActive: false,
    hasEcho: false,
    answers: {} as Answers,
    on(event: TurnEvent): void {
      const { isAgentActive, hasEcho } = turns;
      const step = advance(state, event, { settings, isAgentActive, hasEcho });
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
    fallSilent(isQuestion = false): void {
      turns.isAgentActive = false;
      turns.on({ type: 'agent_silent', at, isQuestion });
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
