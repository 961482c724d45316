/*
 * Pure state machine of the agent's speech. `dialogue.ts` records its lines.
 *
 * silent    nothing to record                        -> speaking when an utterance begins
 * speaking  the avatar has an utterance, or gets it  -> spoken when it is over
 * spoken    over, but not recorded as a line yet     -> silent when it is; speaking
 *
 * Utterances may overlap: the next one begins before the avatar reports on the previous one.
 */
import type { Utterance } from '../speech/utterance.ts';

/** Played or interrupted. `byAvatar`: the avatar interrupted it by itself. */
type EndedTurn = { utterance: Utterance; byAvatar: boolean };

export type AgentTurn =
  | { type: 'silent' }
  /** `unrecorded`: an earlier utterance. */
  | { type: 'speaking'; utterance: Utterance; unrecorded: EndedTurn | null }
  | { type: 'spoken'; unrecorded: EndedTurn };

export type AgentTurnEvent =
  | { type: 'begun'; utterance: Utterance }
  | { type: 'over'; utterance: Utterance; byAvatar: boolean }
  | { type: 'recorded' };

export function advance(turn: AgentTurn, event: AgentTurnEvent): AgentTurn {
  switch (event.type) {
    case 'begun':
      return { type: 'speaking', utterance: event.utterance, unrecorded: null };
    case 'over': {
      const { utterance, byAvatar } = event;
      const unrecorded = { utterance, byAvatar };
      const isLatest = turn.type !== 'speaking' || turn.utterance === utterance;
      return isLatest ? { type: 'spoken', unrecorded } : { ...turn, unrecorded };
    }
    case 'recorded':
      return turn.type === 'speaking' ? { ...turn, unrecorded: null } : { type: 'silent' };
  }
}

/** The utterance that the next line records. */
export const unrecordedIn = (turn: AgentTurn): EndedTurn | null =>
  turn.type === 'silent' ? null : turn.unrecorded;
