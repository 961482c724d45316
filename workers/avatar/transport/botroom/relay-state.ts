/* Pure state machine of the connection to a relay. `RelayConnection` performs the effects. */
import type { EndReason } from '#protocol/end-reasons.ts';
import { BOTROOM_CLOSE, endReasonIn } from '#protocol/botroom/close-codes.ts';
import { backoffMs, type Backoff } from '#shared/backoff.ts';

/** Without a connection for this long, the room counts as closed. */
export const GIVE_UP_MS = 10_000;
/** Limit for one attempt. */
const ATTEMPT_MS = 5_000;
const BACKOFF: Backoff = { firstMs: 100, maxMs: 1_000 };

/** `giveUpAt`: while there is no connection. `attempt` counts since then. */
type Retry = { attempt: number; giveUpAt: number; wasOpen: boolean };

/*
 * idle        not opened yet                           -> connecting
 * connecting  the socket is opening, or the relay has not sent anything yet
 *                                                      -> open; waiting when it fails; over
 * open                                                 -> waiting when the connection is lost; over
 * waiting     until the next attempt                   -> connecting; over
 * over        closed by this worker or by the relay, or given up
 */
type Open = { type: 'open' };
type Connecting = { type: 'connecting' } & Retry;
type Waiting = { type: 'waiting' } & Retry;
export type RelayState = { type: 'idle' } | Connecting | Open | Waiting | { type: 'over' };

/** `reason` and `code` are those of the close frame, `status` that of a refused handshake. */
type RelayEnd = { code: number; reason: string; status?: number };

export type RelayEvent =
  | { type: 'opened'; at: number }
  /** The relay let this worker in: it sent something. */
  | { type: 'admitted' }
  | ({ type: 'socket_ended'; at: number } & RelayEnd)
  | { type: 'timer'; at: number }
  | { type: 'closed' };

/** There is one timer: `start_timer` replaces it. */
export type RelayEffect =
  | { type: 'connect' }
  | { type: 'abandon' }
  | { type: 'start_timer'; ms: number }
  | { type: 'stop_timer' }
  | { type: 'report_open'; isFirst: boolean }
  | { type: 'report_lost' }
  /** `said`: what the relay said, if anything. */
  | { type: 'report_over'; reason: EndReason; wasOpen: boolean; said: string };

type RelayStep = { state: RelayState; effects: RelayEffect[] };

/** `random` returns 0..1. */
export function advanceRelay(
  state: RelayState,
  event: RelayEvent,
  random: () => number,
): RelayStep {
  if (state.type === 'over') return { state, effects: [] };

  switch (event.type) {
    case 'opened':
      if (state.type !== 'idle') return { state, effects: [] };
      return connect({ attempt: 1, giveUpAt: event.at + GIVE_UP_MS, wasOpen: false }, event.at);
    case 'admitted':
      if (state.type !== 'connecting') return { state, effects: [] };
      return {
        state: { type: 'open' },
        effects: [{ type: 'stop_timer' }, { type: 'report_open', isFirst: !state.wasOpen }],
      };
    case 'socket_ended': {
      if (state.type !== 'connecting' && state.type !== 'open') return { state, effects: [] };
      const wasOpen = state.type === 'open' || state.wasOpen;
      const reason = finalReason(event);
      return reason === null
        ? lose(state, event.at, random)
        : finish(reason, wasOpen, event.reason);
    }
    case 'timer':
      return timer(state, event.at, random);
    case 'closed':
      return { state: { type: 'over' }, effects: [{ type: 'stop_timer' }] };
  }
}

function timer(state: RelayState, at: number, random: () => number): RelayStep {
  switch (state.type) {
    case 'connecting': {
      const { state: nextState, effects } = lose(state, at, random);
      return { state: nextState, effects: [{ type: 'abandon' }, ...effects] };
    }
    case 'waiting':
      return connect(state, at);
    case 'idle':
    case 'open':
    case 'over':
      return { state, effects: [] };
  }
}

function connect({ attempt, giveUpAt, wasOpen }: Retry, at: number): RelayStep {
  const ms = Math.min(ATTEMPT_MS, giveUpAt - at);
  return {
    state: { type: 'connecting', attempt, giveUpAt, wasOpen },
    effects: [{ type: 'connect' }, { type: 'start_timer', ms }],
  };
}

function lose(state: Open | Connecting, at: number, random: () => number): RelayStep {
  const retry: Retry =
    state.type === 'open'
      ? { attempt: 1, giveUpAt: at + GIVE_UP_MS, wasOpen: true }
      : { ...state, attempt: state.attempt + 1 };
  if (at >= retry.giveUpAt)
    return finish(retry.wasOpen ? 'room_closed' : 'room_refused', retry.wasOpen, '');
  const ms = Math.min(backoffMs(retry.attempt, BACKOFF, random), retry.giveUpAt - at);
  const wait: RelayEffect = { type: 'start_timer', ms };
  return {
    state: { ...retry, type: 'waiting' },
    effects: state.type === 'open' ? [{ type: 'report_lost' }, wait] : [wait],
  };
}

const finish = (reason: EndReason, wasOpen: boolean, said: string): RelayStep => ({
  state: { type: 'over' },
  effects: [{ type: 'stop_timer' }, { type: 'report_over', reason, wasOpen, said }],
});

/** Null if another attempt may succeed. */
function finalReason({ code, reason, status }: RelayEnd): EndReason | null {
  if (status === 401 || code === BOTROOM_CLOSE.wrong_token.code) return 'room_refused';
  if (status === 404 || code === BOTROOM_CLOSE.no_room.code) return 'room_closed';
  switch (code) {
    case BOTROOM_CLOSE.session_over.code:
      return endReasonIn(reason) ?? 'room_closed';
    case BOTROOM_CLOSE.replaced.code:
      return 'replaced';
    case BOTROOM_CLOSE.bad_record.code:
      return 'room_closed';
  }
  return null;
}
