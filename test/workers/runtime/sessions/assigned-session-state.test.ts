import { describe, expect, test } from 'vitest';
import {
  advanceAssignedSession,
  wasReleased,
  type AssignedSessionEvent,
  type AssignedSessionState,
} from '../../../../workers/runtime/sessions/assigned-session-state.ts';

const performing: AssignedSessionState = { type: 'performing' };
const released: AssignedSessionState = { type: 'released' };
const leaving: AssignedSessionState = { type: 'leaving', wasReleased: false };
const leavingReleased: AssignedSessionState = { type: 'leaving', wasReleased: true };
const forgotten: AssignedSessionState = { type: 'forgotten' };

type Row = [string, AssignedSessionState, AssignedSessionEvent, AssignedSessionState];

const rows: Row[] = [
  ['is released once it is silent', performing, 'released', released],
  ['leaves on an order', performing, 'leaving', leaving],
  ['remembers its release when it leaves', released, 'leaving', leavingReleased],
  ['stays leaving when the release completes afterwards', leaving, 'released', leavingReleased],
  ['stays released when it is told to leave again', leavingReleased, 'leaving', leavingReleased],
  ['is forgotten while it performs', performing, 'forgotten', forgotten],
  ['is forgotten while it leaves', leaving, 'forgotten', forgotten],
  ['is never released once forgotten', forgotten, 'released', forgotten],
  ['never leaves once forgotten', forgotten, 'leaving', forgotten],
];

describe('the state of an assigned session', () => {
  test.each(rows)('%s', (_title, state, event, expected) => {
    expect(advanceAssignedSession(state, event)).toEqual(expected);
  });

  test('tells whether the session was released', () => {
    const states = [performing, released, leaving, leavingReleased, forgotten];

    expect(states.filter(wasReleased)).toEqual([released, leavingReleased]);
  });
});
