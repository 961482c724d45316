import { describe, expect, test } from 'vitest';
import {
  advanceOutage,
  type Outage,
  type OutageEvent,
} from '../../../src/sessions/recovery/outage.ts';

const none: Outage = { type: 'none' };
const away = (type: 'hand_over' | 'failover'): Outage => ({ type, workerId: 'first', since: 5 });
const handedOver: OutageEvent = { type: 'handed_over', workerId: 'second', at: 9 };
const lost: OutageEvent = { type: 'lost', workerId: 'second', at: 9 };

describe('an outage', () => {
  test.each<[string, Outage, OutageEvent, Outage]>([
    [
      'begins when the worker falls silent',
      none,
      handedOver,
      { type: 'hand_over', workerId: 'second', since: 9 },
    ],
    [
      'begins when the worker is lost',
      none,
      lost,
      { type: 'failover', workerId: 'second', since: 9 },
    ],
    ['becomes a failover if the worker is lost, too', away('hand_over'), lost, away('failover')],
    ['keeps its worker and time after a second loss', away('failover'), lost, away('failover')],
    ['stays a failover during a handover', away('failover'), handedOver, away('failover')],
    ['stays a handover during another one', away('hand_over'), handedOver, away('hand_over')],
    ['ends when the worker returns', away('failover'), { type: 'returned' }, none],
    ['ends with the first frame', away('hand_over'), { type: 'shown' }, none],
    ['has nothing to end without one', none, { type: 'shown' }, none],
  ])('%s', (_what, before, event, after) => {
    expect(advanceOutage(before, event)).toEqual(after);
  });
});
