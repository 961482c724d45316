/*
 * Pure state machine of a participant, or of all users, in a room. `presence.ts` owns the timers.
 *
 * unknown   before the room was joined   -> here, expected
 * expected  has not joined yet           -> here
 * here                                   -> away
 * away      has left                     -> here
 */
export type PresenceState = 'unknown' | 'expected' | 'here' | 'away';

export function nextState(state: PresenceState, isHere: boolean): PresenceState {
  if (isHere) return 'here';
  switch (state) {
    case 'unknown':
      return 'expected';
    case 'here':
      return 'away';
    case 'expected':
    case 'away':
      return state;
  }
}
