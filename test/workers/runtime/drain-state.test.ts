import { describe, expect, test } from 'vitest';
import {
  advanceDrain,
  HAND_OVER_MS,
  type DrainEffect,
  type DrainEvent,
  type DrainState,
} from '../../../workers/runtime/drain-state.ts';

const LIMIT_MS = 60_000;

const idle: DrainState = { type: 'idle' };
const finishing: DrainState = { type: 'finishing', endsAt: 61_000 };
const handingOver: DrainState = { type: 'handing_over' };
const ended: DrainState = { type: 'over' };

const startTimer = (ms: number): DrainEffect => ({ type: 'start_timer', ms });
const end: DrainEffect[] = [{ type: 'stop_timer' }, { type: 'report_over' }];

type Row = [string, DrainState, DrainEvent, DrainState, DrainEffect[]];

const rows: Row[] = [
  [
    'limits the time of sessions',
    idle,
    { type: 'begun', at: 1_000 },
    finishing,
    [startTimer(60_000)],
  ],
  ['begins once', finishing, { type: 'begun', at: 5_000 }, finishing, []],
  [
    'hands over the remaining sessions when the time is up',
    finishing,
    { type: 'timer' },
    handingOver,
    [startTimer(HAND_OVER_MS), { type: 'report_time_up' }],
  ],
  ['limits the handover', handingOver, { type: 'timer' }, ended, end],
  ['ends as soon as the sessions have', finishing, { type: 'finished' }, ended, end],
  ['ends as soon as the sessions are handed over', handingOver, { type: 'finished' }, ended, end],
  ['ends once', ended, { type: 'finished' }, ended, []],
  ['never begins again', ended, { type: 'begun', at: 90_000 }, ended, []],
];

describe('the state of a drain', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    expect(advanceDrain(state, event, LIMIT_MS)).toEqual({ state: expected, effects });
  });
});
