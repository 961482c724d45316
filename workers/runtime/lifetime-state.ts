/* Pure state machine of a worker process. `serve` performs the effects. */

/*
 * serving   performs sessions                         -> draining, stopping, exiting
 * draining  finishes its sessions, or hands them over -> stopping, exiting
 * stopping  ends its sessions at once                 -> exiting
 * exiting   closes what it owns, then exits
 */
export type LifetimeState = 'serving' | 'draining' | 'stopping' | 'exiting';

export type LifetimeEvent =
  /** SIGTERM. */
  | 'terminated'
  /** SIGINT, or the parent process is gone. */
  | 'interrupted'
  /** A drain finished. A signal or the control plane began it. */
  | 'drained'
  /** All sessions have ended, as `end_sessions` asked. */
  | 'stopped'
  /** The gateway refuses this worker for good. */
  | 'dismissed'
  /** An error that nothing caught. */
  | 'failed';

export type LifetimeEffect =
  | { type: 'drain' }
  | { type: 'end_sessions' }
  /** Drops running sessions: the control plane places them again. */
  | { type: 'exit'; code: number };

type LifetimeStep = { state: LifetimeState; effects: LifetimeEffect[] };

export function advanceLifetime(state: LifetimeState, event: LifetimeEvent): LifetimeStep {
  if (state === 'exiting') return { state, effects: [] };

  switch (event) {
    case 'terminated':
      return state === 'serving'
        ? { state: 'draining', effects: [{ type: 'drain' }] }
        : stop(state);
    case 'interrupted':
      return stop(state);
    case 'drained':
    case 'stopped':
      return exit(0);
    case 'dismissed':
    case 'failed':
      return exit(1);
  }
}

const stop = (state: LifetimeState): LifetimeStep =>
  state === 'stopping'
    ? { state, effects: [] }
    : { state: 'stopping', effects: [{ type: 'end_sessions' }] };

const exit = (code: number): LifetimeStep => ({
  state: 'exiting',
  effects: [{ type: 'exit', code }],
});
