/*
 * Pure state machine of the connection to a bot. `pipecat-link.ts` performs the effects.
 *
 * idle       waits for the avatar and a visitor: bots greet on connecting         -> dialling
 * dialling   connecting                                      -> connected, pausing, gone, over
 * pausing    before the next attempt                         -> dialling
 * connected                                                  -> pausing, gone, over
 * gone       the bot left, or did not return in time: the session's grace runs
 * over       refused or closed
 */

/** A bot may restart, or start with its session. */
export const RETURN_MS = 10_000;

/** Attempts to reach the bot, since it was first dialled or lost. */
type Search = {
  sinceMs: number;
  attempts: number;
  /** The bot has sent something in this session. */
  wasHeard: boolean;
};

export type LinkState =
  | { type: 'idle'; isShown: boolean; isVisited: boolean }
  | { type: 'dialling' | 'pausing'; search: Search }
  | { type: 'connected'; search: Search; sinceMs: number }
  | { type: 'gone' | 'over' };

/** Why a connection ended, or was not made. */
export type BotEnding = {
  /**
   * `broken`: another attempt may succeed. `refused`: it will not. `hung_up`: the bot has ended the
   * conversation.
   */
  type: 'broken' | 'refused' | 'hung_up';
  /** For the session's owner. */
  detail: string;
};

export type LinkEvent =
  | { type: 'shown' }
  | { type: 'visited'; isVisited: boolean }
  | { type: 'opened' }
  /** A frame of the bot. */
  | { type: 'heard' }
  | { type: 'ended'; ending: BotEnding }
  | { type: 'retry_due' }
  | { type: 'closed' };

export type LinkEffect =
  | { type: 'dial' }
  | { type: 'retry'; attempt: number }
  | { type: 'announce'; isHere: boolean }
  | { type: 'refuse'; detail: string };

type LinkStep = { state: LinkState; effects: LinkEffect[] };

export const initialLink: LinkState = { type: 'idle', isShown: false, isVisited: false };

export function advanceLink(state: LinkState, event: LinkEvent, nowMs: number): LinkStep {
  switch (event.type) {
    case 'shown':
      return state.type === 'idle' ? dialWhenDue({ ...state, isShown: true }, nowMs) : stay(state);
    case 'visited':
      if (state.type !== 'idle') return stay(state);
      return dialWhenDue({ ...state, isVisited: event.isVisited }, nowMs);
    case 'opened': {
      if (state.type !== 'dialling') return stay(state);
      const { search } = state;
      const effects: LinkEffect[] = search.wasHeard ? [{ type: 'announce', isHere: true }] : [];
      return { state: { type: 'connected', search, sinceMs: nowMs }, effects };
    }
    case 'heard':
      if (state.type !== 'connected' || state.search.wasHeard) return stay(state);
      return stay({ ...state, search: { ...state.search, wasHeard: true } });
    case 'ended':
      return end(state, event.ending, nowMs);
    case 'retry_due':
      if (state.type !== 'pausing') return stay(state);
      return { state: { ...state, type: 'dialling' }, effects: [{ type: 'dial' }] };
    case 'closed':
      return stay({ type: 'over' });
  }
}

const stay = (state: LinkState): LinkStep => ({ state, effects: [] });

function dialWhenDue(state: Extract<LinkState, { type: 'idle' }>, nowMs: number): LinkStep {
  if (!state.isShown || !state.isVisited) return stay(state);
  const search = { sinceMs: nowMs, attempts: 0, wasHeard: false };
  return { state: { type: 'dialling', search }, effects: [{ type: 'dial' }] };
}

function end(state: LinkState, { type, detail }: BotEnding, nowMs: number): LinkStep {
  if (state.type !== 'dialling' && state.type !== 'connected') return stay(state);
  const search = searchAfter(state, nowMs);
  const isLost = state.type === 'connected' && search.wasHeard;
  const effects: LinkEffect[] = isLost ? [{ type: 'announce', isHere: false }] : [];
  if (type === 'broken' && nowMs - search.sinceMs < RETURN_MS) {
    const attempts = search.attempts + 1;
    effects.push({ type: 'retry', attempt: attempts });
    return { state: { type: 'pausing', search: { ...search, attempts } }, effects };
  }
  if (search.wasHeard || type === 'hung_up') {
    return { state: { type: 'gone' }, effects: [{ type: 'announce', isHere: false }] };
  }
  return { state: { type: 'over' }, effects: [{ type: 'refuse', detail }] };
}

/** A connection that lasted begins a new search; a bot that fails again and again does not. */
function searchAfter(state: Extract<LinkState, { search: Search }>, nowMs: number): Search {
  const hasLasted = state.type === 'connected' && nowMs - state.sinceMs >= RETURN_MS;
  return hasLasted ? { sinceMs: nowMs, attempts: 0, wasHeard: true } : state.search;
}
