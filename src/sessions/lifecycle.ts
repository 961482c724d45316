/*
 * to_start   placed, not yet seen in the room   -> ongoing on started, completed on ended or expired
 * ongoing    the face is in the room            -> completed on ended or expired
 * completed  final; the slot is free
 * When the worker is lost, a live session keeps its state and is placed again under a new epoch; when no slot
 * comes free in time it completes with worker_lost.
 *
 * `advance` only decides. `sessions.ts` refuses reports of an older epoch and performs the effects.
 */
import type { EndReason } from '#protocol/end-reasons.ts';

export type SessionState =
  | { type: 'to_start' }
  | { type: 'ongoing'; startedAt: number }
  | { type: 'completed'; startedAt: number; endedAt: number; reason: EndReason };

export type SessionEvent =
  | { type: 'started'; at: number }
  | { type: 'ended'; at: number; reason: EndReason }
  | { type: 'expired'; at: number }
  | { type: 'worker_lost' };

export type Effect = 'save' | 'announce' | 'free_slot' | 'place_again';

export type Step = { state: SessionState; effects: Effect[] };

export function advance(state: SessionState, event: SessionEvent): Step {
  // The deadline and the worker may both report the end; the first one counts.
  if (state.type === 'completed') return { state, effects: [] };

  switch (event.type) {
    case 'started':
      // A session that was placed again starts twice; the user's session began the first time.
      if (state.type === 'ongoing') return { state, effects: [] };
      return { state: { type: 'ongoing', startedAt: event.at }, effects: ['save', 'announce'] };
    case 'ended':
      return complete(state, event.at, event.reason);
    case 'expired':
      return complete(state, event.at, state.type === 'ongoing' ? 'time_limit' : 'never_started');
    case 'worker_lost':
      return { state, effects: ['place_again'] };
  }
}

type LiveState = Exclude<SessionState, { type: 'completed' }>;

function complete(state: LiveState, endedAt: number, reason: EndReason): Step {
  // The interface gives a completed session both times; one that never began lasted no time.
  const startedAt = state.type === 'ongoing' ? state.startedAt : endedAt;
  return {
    state: { type: 'completed', startedAt, endedAt: Math.max(startedAt, endedAt), reason },
    effects: ['save', 'announce', 'free_slot'],
  };
}
