/* Pure state machine of a worker's drain. `Drain` performs the effects. */

/**
 * Time for the control plane to move the remaining sessions, each at its next pause. After it, they
 * count as lost with this worker.
 */
export const HAND_OVER_MS = 15_000;

/*
 * idle          sessions are accepted                          -> finishing when the drain begins
 * finishing     no new sessions; running ones continue         -> handing_over after `limitMs`
 * handing_over  the control plane moves the remaining ones     -> over after HAND_OVER_MS
 * over          nothing is left, or the time is up
 */
export type DrainState =
  | { type: 'idle' | 'handing_over' | 'over' }
  | { type: 'finishing'; endsAt: number };

export type DrainEvent =
  | { type: 'begun'; at: number }
  | { type: 'timer' }
  /** Nothing is left to wait for. */
  | { type: 'finished' };

export type DrainEffect =
  | { type: 'start_timer'; ms: number }
  | { type: 'stop_timer' }
  | { type: 'report_time_up' }
  | { type: 'report_over' };

type DrainStep = { state: DrainState; effects: DrainEffect[] };

/** `limitMs`: how long sessions may continue on this worker. */
export function advanceDrain(state: DrainState, event: DrainEvent, limitMs: number): DrainStep {
  switch (event.type) {
    case 'begun':
      if (state.type !== 'idle') return { state, effects: [] };
      return {
        state: { type: 'finishing', endsAt: event.at + limitMs },
        effects: [{ type: 'start_timer', ms: limitMs }],
      };
    case 'timer':
      if (state.type === 'handing_over') return endStep;
      if (state.type !== 'finishing') return { state, effects: [] };
      return {
        state: { type: 'handing_over' },
        effects: [{ type: 'start_timer', ms: HAND_OVER_MS }, { type: 'report_time_up' }],
      };
    case 'finished':
      return state.type === 'over' ? { state, effects: [] } : endStep;
  }
}

const endStep: DrainStep = {
  state: { type: 'over' },
  effects: [{ type: 'stop_timer' }, { type: 'report_over' }],
};
