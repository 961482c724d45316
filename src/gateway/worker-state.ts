/* Pure state machine of one worker at this gateway. `WorkerConnections` performs the effects. */
import type { CloseName } from '#protocol/worker/close-codes.ts';

/*
 * connected  its newest connection is registered here        -> away, sought or absent without it
 * away       it has a moment to reconnect: its media goes on -> connected, sought after that
 * sought     it may be connected to another control plane    -> connected, absent
 * absent     lost, or connected to another control plane
 */
export type WorkerState<Link> =
  | { type: 'connected'; link: Link }
  /** `link`: the connection that broke. */
  | { type: 'away' | 'sought'; link: Link }
  | { type: 'absent' };

/** The socket's close code, or ours. */
export type DisconnectReason = number | CloseName;

export type WorkerEvent<Link> =
  | { type: 'registered'; link: Link }
  /** `isClosing`: the gateway closes, so the worker is not lost. */
  | { type: 'disconnected'; link: Link; why: DisconnectReason; isClosing: boolean }
  | { type: 'timer' }
  | { type: 'found_elsewhere'; link: Link }
  /** No control plane has a connection of the worker, or the fleet cannot tell. */
  | { type: 'not_found'; link: Link; wasSilent: boolean };

export type WorkerEffect<Link> =
  /** Closes the older connection: it is half open at best. */
  | { type: 'replace'; link: Link }
  | { type: 'leave_fleet'; link: Link; why: DisconnectReason }
  /** `link`: the connection that broke. */
  | { type: 'start_timer'; link: Link }
  | { type: 'stop_timer' }
  /** Answered by `found_elsewhere` or `not_found` with the same link. */
  | { type: 'find_elsewhere'; link: Link; wasSilent: boolean }
  | { type: 'report_lost'; wasSilent: boolean };

type WorkerStep<Link> = { state: WorkerState<Link>; effects: WorkerEffect<Link>[] };

export function advanceWorker<Link>(
  state: WorkerState<Link>,
  event: WorkerEvent<Link>,
): WorkerStep<Link> {
  switch (event.type) {
    case 'registered':
      return { state: { type: 'connected', link: event.link }, effects: beforeConnected(state) };
    case 'disconnected':
      // Expelled or replaced before its socket closed.
      if (state.type !== 'connected' || state.link !== event.link) return { state, effects: [] };
      return disconnected(event);
    case 'timer':
      if (state.type !== 'away') return { state, effects: [] };
      return {
        state: { type: 'sought', link: state.link },
        effects: [{ type: 'find_elsewhere', link: state.link, wasSilent: false }],
      };
    case 'found_elsewhere':
    case 'not_found': {
      // It may have registered here meanwhile, and may have left again.
      if (state.type !== 'sought' || state.link !== event.link) return { state, effects: [] };
      const effects = event.type === 'not_found' ? reportLost(event.wasSilent) : [];
      return { state: { type: 'absent' }, effects };
    }
  }
}

const reportLost = (wasSilent: boolean): [{ type: 'report_lost'; wasSilent: boolean }] => [
  { type: 'report_lost', wasSilent },
];

function beforeConnected<Link>(state: WorkerState<Link>): WorkerEffect<Link>[] {
  switch (state.type) {
    case 'connected':
      return [{ type: 'replace', link: state.link }];
    case 'away':
      return [{ type: 'stop_timer' }];
    case 'sought':
    case 'absent':
      return [];
  }
}

function disconnected<Link>({
  link,
  why,
  isClosing,
}: Extract<WorkerEvent<Link>, { type: 'disconnected' }>): WorkerStep<Link> {
  const leave: WorkerEffect<Link> = { type: 'leave_fleet', link, why };
  if (isClosing) return { state: { type: 'absent' }, effects: [leave] };
  // These workers do not reconnect: 1000 is a regular close.
  if (why === 1000 || why === 'token_revoked')
    return { state: { type: 'absent' }, effects: [leave, ...reportLost(false)] };
  // A silent worker has already had its time to reconnect.
  if (why === 'silent')
    return {
      state: { type: 'sought', link },
      effects: [leave, { type: 'find_elsewhere', link, wasSilent: true }],
    };
  return { state: { type: 'away', link }, effects: [leave, { type: 'start_timer', link }] };
}
