import { describe, expect, test } from 'vitest';
import {
  advanceAssignment,
  type AssignmentEffect,
  type AssignmentEvent,
  type AssignmentState,
} from '../../../workers/avatar/assignment-state.ts';

type State = AssignmentState<string>;

const output = 'output';

const opening: State = { type: 'opening' };
const publishing: State = { type: 'publishing', output };
const showing: State = { type: 'showing', output };
const released: State = { type: 'released', output };
const ended: State = { type: 'over' };

type Row = [string, State, AssignmentEvent<string>, State, AssignmentEffect<string>[]];

const rows: Row[] = [
  ['publishes once it draws', opening, { type: 'output_started', output }, publishing, []],
  [
    'has started when its tracks are published',
    publishing,
    { type: 'published' },
    showing,
    [{ type: 'report_started' }],
  ],
  ['does not start after its end', ended, { type: 'published' }, ended, []],
  [
    'is released when it is silent',
    showing,
    { type: 'silenced' },
    released,
    [{ type: 'hold_speech', output }],
  ],
  ['is not released before it joins', opening, { type: 'silenced' }, opening, []],
  ['is not released before it publishes', publishing, { type: 'silenced' }, publishing, []],
  ['is not released after its end', ended, { type: 'silenced' }, ended, []],
  ['is over when it closes while it opens', opening, { type: 'closed' }, ended, []],
  ['is over when it closes after a release', released, { type: 'closed' }, ended, []],
  ['draws nothing after its end', ended, { type: 'output_started', output }, ended, []],
];

describe('the state of an assignment', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    expect(advanceAssignment(state, event)).toEqual({ state: expected, effects });
  });
});
