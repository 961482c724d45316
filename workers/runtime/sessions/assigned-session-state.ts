/*
 * Pure state machine of a session's stay on this worker. `AssignedSession` keeps the state.
 *
 * performing  occupies a slot
 * released    silent, but still in the room and in its slot until its successor replaces it
 * leaving     leaves the room. The gateway has given its slot to another session.
 * forgotten   closed or closing; the worker reports nothing more about it
 */
export type AssignedSessionState =
  | { type: 'performing' }
  | { type: 'released' }
  | { type: 'leaving'; wasReleased: boolean }
  | { type: 'forgotten' };

export type AssignedSessionEvent = 'released' | 'leaving' | 'forgotten';

export function advanceAssignedSession(
  state: AssignedSessionState,
  event: AssignedSessionEvent,
): AssignedSessionState {
  if (state.type === 'forgotten') return state;

  switch (event) {
    case 'released':
      // The order to leave may arrive while the session falls silent.
      if (state.type === 'leaving') return { type: 'leaving', wasReleased: true };
      return { type: 'released' };
    case 'leaving':
      return { type: 'leaving', wasReleased: wasReleased(state) };
    case 'forgotten':
      return { type: 'forgotten' };
  }
}

/** Whether the session has fallen silent for its successor. */
export const wasReleased = (state: AssignedSessionState): boolean =>
  state.type === 'released' || (state.type === 'leaving' && state.wasReleased);
