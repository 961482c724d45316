/* Pure state machine of the connection to the gateway. `ControlLink` performs the effects. */
import { CLOSE, mayComeBack } from '#protocol/worker/close-codes.ts';

/** Settings that the connected gateway sent. */
export type GatewaySettings = {
  pingEveryMs: number;
  /** Null: it wants no beats. */
  beatEveryMs: number | null;
  keepsTimelines: boolean;
  takesBudgetEnds: boolean;
  takesAbilities: boolean;
};

type Retry = {
  /** Failed attempts and lost connections since the last registration. */
  failures: number;
  /** Our token was revoked. A later 401 then means the same, not a wrong configuration. */
  isRevoked: boolean;
};

/*
 * idle         not opened yet
 * connecting   the socket is opening      -> registering on open; waiting on an error or timeout
 * registering  `register` is sent         -> open on `registered`; waiting on close or timeout
 * open         messages go both ways      -> waiting on close, or without a message for three pings
 * waiting      until the next attempt     -> connecting
 * closed       by `close`, or dismissed by the gateway
 */
export type LinkState =
  | { type: 'idle' | 'closed' }
  | ({ type: 'connecting' | 'registering' | 'waiting' } & Retry)
  | { type: 'open'; gateway: GatewaySettings };

/** Socket events are those of the current socket. */
export type LinkEvent =
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'socket_opened' }
  | { type: 'socket_closed'; code: number }
  /** The server answered the upgrade with an HTTP status. */
  | { type: 'upgrade_refused'; status: number | undefined }
  /** A valid one. Precedes the event of the message itself. */
  | { type: 'message_received' }
  | { type: 'registered'; gateway: GatewaySettings }
  | { type: 'timer' };

/** There is one timer: `start_timer` replaces it. */
export type LinkEffect =
  | { type: 'connect' }
  | { type: 'send_register' }
  | { type: 'report_registered' }
  | { type: 'start_timer'; ms: number }
  | { type: 'stop_timer' }
  /** Terminates the socket. */
  | { type: 'abandon'; why: string }
  /** Starts the timer with a wait that grows with `attempt`. */
  | { type: 'back_off'; code: number; attempt: number }
  | { type: 'report_revoked'; code: number; waitMs: number }
  | { type: 'dismiss'; code: number };

type LinkStep = { state: LinkState; effects: LinkEffect[] };

/** An operator may reinstate a revoked token. */
const REVOKED_RETRY_MS = 30_000;
const MISSED_PINGS = 3;
/**
 * A handshake takes the gateway four turns of its event loop. With one limit for all attempts, a
 * gateway whose turns take longer than a quarter of that would never register a worker again.
 */
const LONGEST_OPEN_TIMES = 3;
/** The close code of a connection that broke without a close frame. */
const BROKEN = 1006;

/** `openMs`: limit for the first attempt to connect and register. */
export function advanceLink(state: LinkState, event: LinkEvent, openMs: number): LinkStep {
  if (state.type === 'closed') return stay(state);

  switch (event.type) {
    case 'opened':
      if (state.type !== 'idle') return stay(state);
      return connect({ failures: 0, isRevoked: false }, openMs);
    case 'closed':
      return { state: { type: 'closed' }, effects: [{ type: 'stop_timer' }] };
    case 'socket_opened':
      if (state.type !== 'connecting') return stay(state);
      return { state: { ...state, type: 'registering' }, effects: [{ type: 'send_register' }] };
    case 'socket_closed':
      return lose(state, event.code);
    case 'upgrade_refused':
      return lose(state, event.status === 401 ? refusalOf(state) : BROKEN);
    case 'message_received':
      return state.type === 'open' ? stay(state, awaitPing(state.gateway)) : stay(state);
    case 'registered': {
      if (state.type !== 'registering' && state.type !== 'open') return stay(state);
      const { gateway } = event;
      const effects = [awaitPing(gateway), { type: 'report_registered' as const }];
      return { state: { type: 'open', gateway }, effects };
    }
    case 'timer':
      return timer(state, openMs);
  }
}

function timer(state: LinkState, openMs: number): LinkStep {
  switch (state.type) {
    case 'connecting':
    case 'registering':
      return abandon(state, 'timeout while connecting');
    case 'open':
      // Silence is the only sign of a gateway whose machine died.
      return abandon(state, 'no message for three pings');
    case 'waiting':
      return connect(state, openMs);
    case 'idle':
    case 'closed':
      return stay(state);
  }
}

function connect({ failures, isRevoked }: Retry, openMs: number): LinkStep {
  const times = Math.min(LONGEST_OPEN_TIMES, Math.max(1, failures));
  return {
    state: { type: 'connecting', failures, isRevoked },
    effects: [{ type: 'connect' }, { type: 'start_timer', ms: times * openMs }],
  };
}

function abandon(state: LinkState, why: string): LinkStep {
  const { state: nextState, effects } = lose(state, BROKEN);
  return { state: nextState, effects: [{ type: 'abandon', why }, ...effects] };
}

/** The socket is closed or given up. */
function lose(state: LinkState, code: number): LinkStep {
  if (!mayComeBack(code))
    return {
      state: { type: 'closed' },
      effects: [{ type: 'stop_timer' }, { type: 'dismiss', code }],
    };

  const retry = 'failures' in state ? state : { failures: 0, isRevoked: false };
  const attempt = retry.failures + 1;
  const isRevoked = retry.isRevoked || code === CLOSE.token_revoked.code;
  return {
    state: { type: 'waiting', failures: attempt, isRevoked },
    effects:
      code === CLOSE.token_revoked.code
        ? [
            { type: 'report_revoked', code, waitMs: REVOKED_RETRY_MS },
            { type: 'start_timer', ms: REVOKED_RETRY_MS },
          ]
        : [{ type: 'back_off', code, attempt }],
  };
}

/** The close code that a 401 stands for. */
const refusalOf = (state: LinkState): number =>
  CLOSE['isRevoked' in state && state.isRevoked ? 'token_revoked' : 'wrong_token'].code;

const awaitPing = ({ pingEveryMs }: GatewaySettings): LinkEffect => ({
  type: 'start_timer',
  ms: MISSED_PINGS * pingEveryMs,
});

const stay = (state: LinkState, ...effects: LinkEffect[]): LinkStep => ({ state, effects });
