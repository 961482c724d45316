import { describe, expect, test } from 'vitest';
import {
  advanceOutage,
  type Outage,
  type OutageEvent,
} from '../../../src/sessions/recovery/outage.ts';

const noOutage: Outage = { type: 'none' };
const away = (type: 'hand_over' | 'failover'): Outage => ({ type, workerId: 'first', since: 5 });
const handedOver: OutageEvent = { type: 'handed_over', workerId: 'second', at: 9 };
const lostEvent: OutageEvent = { type: 'lost', workerId: 'second', at: 9 };

describe('an outage', () => {
  test.each<[string, Outage, OutageEvent, Outage]>([
    [
      'begins when the worker falls silent',
      noOutage,
      handedOver,
      { type: 'hand_over', workerId: 'second', since: 9 },
    ],
    [
      'begins when the worker is lost',
      noOutage,
      lostEvent,
      { type: 'failover', workerId: 'second', since: 9 },
    ],
    [
      'becomes a failover if the worker is lost, too',
      away('hand_over'),
      lostEvent,
      away('failover'),
    ],
    [
      'keeps its worker and time after a second loss',
      away('failover'),
      lostEvent,
      away('failover'),
    ],
    ['stays a failover during a handover', away('failover'), handedOver, away('failover')],
    ['stays a handover during another one', away('hand_over'), handedOver, away('hand_over')],
    ['ends when the worker returns', away('failover'), { type: 'returned' }, noOutage],
    ['ends with the first frame', away('hand_over'), { type: 'shown' }, noOutage],
    ['has nothing to end without one', noOutage, { type: 'shown' }, noOutage],
  ])('%s', (_what, outage, event, expected) => {
    expect(advanceOutage(outage, event)).toEqual(expected);
  });
});
