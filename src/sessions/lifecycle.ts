/*
 * Pure session state machine. `LiveSession` rejects stale epochs and performs the effects.
 * A live session keeps its state when its worker is lost; it is placed again under a new epoch.
 */
import type { EndReason } from '#protocol/end-reasons.ts';

/** `detail`: more about it, for the owner. */
type SessionEnd = { reason: EndReason; detail?: string | undefined };

export type SessionState =
  | { type: 'to_start' }
  | { type: 'ongoing'; startedAt: number }
  | ({ type: 'completed'; startedAt: number; endedAt: number } & SessionEnd);

export type SessionEvent =
  | { type: 'started'; at: number }
  | ({ type: 'ended'; at: number } & SessionEnd)
  | { type: 'expired'; at: number }
  | { type: 'worker_lost' };

export type Effect = 'save' | 'announce' | 'free_slot' | 'place_again';

type Step = { state: SessionState; effects: Effect[] };

export function advance(state: SessionState, event: SessionEvent): Step {
  // The deadline and the worker can both report the end; the first report wins.
  if (state.type === 'completed') return { state, effects: [] };

  switch (event.type) {
    case 'started':
      // A session that is placed again starts twice; keep the first start.
      if (state.type === 'ongoing') return { state, effects: [] };
      return { state: { type: 'ongoing', startedAt: event.at }, effects: ['save', 'announce'] };
    case 'ended':
      return complete(state, event.at, event);
    case 'expired':
      return complete(state, event.at, {
        reason: state.type === 'ongoing' ? 'time_limit' : 'never_started',
      });
    case 'worker_lost':
      return { state, effects: ['place_again'] };
  }
}

type LiveState = Exclude<SessionState, { type: 'completed' }>;

function complete(state: LiveState, endedAt: number, { reason, detail }: SessionEnd): Step {
  // A completed session always has both times; one that never started has zero length.
  const startedAt = state.type === 'ongoing' ? state.startedAt : endedAt;
  return {
    state: {
      type: 'completed',
      startedAt,
      endedAt: Math.max(startedAt, endedAt),
      reason,
      ...(detail !== undefined && { detail }),
    },
    effects: ['save', 'announce', 'free_slot'],
  };
}
