import { describe, expect, test } from 'vitest';
import type { Lease } from '../../../src/fleet/fleet.ts';
import { advancePlacement } from '../../../src/sessions/placement/advance-placement.ts';
import {
  leaseOf,
  type PlacementEffect,
  type PlacementEvent,
  type PlacementState,
} from '../../../src/sessions/placement/placement-state.ts';

const times = { at: 1_000, searchMs: 15_000, retryMs: 500 };
const search = { deadline: 16_000, latest: 76_000 };

const lease = (epoch: number, workerId = `worker-${epoch}`): Lease => ({
  sessionId: 'session',
  epoch,
  workerId,
});
const firstLease = lease(1);
const nextLease = lease(2);
const claimed = lease(1);

const common = { epoch: 1, former: null };
const unclaimed: PlacementState = { ...common, type: 'unclaimed' };
const placed: PlacementState = { ...common, type: 'placed', lease: firstLease, search: null };
const searching = { ...common, type: 'searching', search, since: 400 } as const;
const pausing: PlacementState = { ...common, type: 'pausing', search, failedSince: 400 };
const reserving: PlacementState = { ...common, type: 'reserving', lease: firstLease };
const releasing: PlacementState = {
  ...common,
  type: 'releasing',
  lease: firstLease,
  to: nextLease,
};
const confirming: PlacementState = {
  ...common,
  type: 'confirming',
  lease: firstLease,
  to: nextLease,
};
const closed: PlacementState = { ...common, type: 'closed', lease: firstLease };

const reserve = (waitMs: number, checksOwner = true): PlacementEffect => ({
  type: 'reserve',
  epoch: 2,
  waitMs,
  checksOwner,
});
const free = (of: Lease): PlacementEffect => ({ type: 'free', lease: of });
const hold: PlacementEffect = { type: 'hold', lease: claimed };
const save: PlacementEffect = { type: 'save', lease: nextLease };
const release: PlacementEffect = { type: 'release', lease: firstLease, withinMs: 8_000 };
const cancelReserve: PlacementEffect = { type: 'cancel_reserve' };
const stopTimer: PlacementEffect = { type: 'stop_timer' };
const confirmOwner: PlacementEffect = { type: 'confirm_owner' };
const unplaceable: PlacementEffect = { type: 'report_unplaceable' };
const pause: PlacementEffect = { type: 'start_timer', ms: 500 };

const atNext: PlacementState = { type: 'placed', epoch: 2, former: null, lease: nextLease, search };
const moved: PlacementState = { ...atNext, former: firstLease, search: null };
const searchingNow: PlacementState = { ...common, type: 'searching', search, since: 1_000 };

type Row = [string, PlacementState, PlacementEvent, PlacementState, PlacementEffect[]];

const rows: Row[] = [
  [
    'a saved placement is assigned',
    placed,
    { type: 'saved', lease: firstLease },
    placed,
    [{ type: 'assign', lease: firstLease }],
  ],
  [
    'a placement that was lost while it was saved is not assigned',
    searching,
    { type: 'saved', lease: firstLease },
    searching,
    [],
  ],
  [
    'a placement that is not saved is freed and tried again after a pause',
    placed,
    { type: 'save_failed', lease: firstLease },
    { ...common, type: 'pausing', search, failedSince: null },
    [free(firstLease), pause],
  ],
  [
    'a placement that another control plane made first is freed and never assigned',
    placed,
    { type: 'superseded', lease: firstLease },
    { ...common, type: 'unclaimed' },
    [free(firstLease), { type: 'report_superseded' }],
  ],
  [
    'a slot that was lost while it was saved is freed',
    atNext,
    { type: 'superseded', lease: firstLease },
    atNext,
    [free(firstLease)],
  ],
  [
    'an accepted assignment ends the search',
    atNext,
    { type: 'answered', lease: nextLease, answer: 'accepted' },
    { ...atNext, search: null },
    [],
  ],
  [
    'a worker whose connection broke before its answer stays placed',
    atNext,
    { type: 'answered', lease: nextLease, answer: 'gone' },
    { ...atNext, search: null },
    [],
  ],
  [
    'a declined assignment continues the search by its deadline',
    { ...atNext, epoch: 1 },
    { type: 'answered', lease: nextLease, answer: 'declined' },
    searchingNow,
    [reserve(15_000)],
  ],
  [
    'the answer of an older connection changes nothing',
    placed,
    { type: 'answered', lease: claimed, answer: 'declined' },
    placed,
    [],
  ],
  [
    'a lost worker is replaced',
    placed,
    { type: 'lost' },
    searchingNow,
    [free(firstLease), reserve(15_000)],
  ],
  ['an unclaimed session is placed', unclaimed, { type: 'lost' }, searchingNow, [reserve(15_000)]],
  ['a loss during a search changes nothing', searching, { type: 'lost' }, searching, []],
  [
    'a loss during a move cancels its request before the search',
    reserving,
    { type: 'lost' },
    searchingNow,
    [cancelReserve, free(firstLease), reserve(15_000)],
  ],
  [
    'a loss during a release moves the session to the reserved slot',
    releasing,
    { type: 'lost' },
    { ...common, type: 'confirming', lease: null, to: nextLease },
    [stopTimer, confirmOwner],
  ],
  [
    'a slot is saved before it is assigned',
    searching,
    { type: 'reserved', lease: nextLease },
    atNext,
    [{ type: 'record_wait', waitedMs: 600 }, save],
  ],
  [
    'no slot in time is reported',
    searching,
    { type: 'reserved', lease: null },
    unclaimed,
    [unplaceable],
  ],
  [
    'a slot that is no longer needed is freed',
    placed,
    { type: 'reserved', lease: nextLease },
    placed,
    [free(nextLease)],
  ],
  [
    'a fleet that cannot answer is asked again',
    searching,
    { type: 'reserve_failed' },
    pausing,
    [pause],
  ],
  [
    'a fleet that cannot answer after the deadline is not asked again',
    { ...searching, since: 16_000 },
    { type: 'reserve_failed' },
    unclaimed,
    [unplaceable],
  ],
  [
    'time without an answer extends the deadline',
    pausing,
    { type: 'timer' },
    { ...common, type: 'searching', search: { ...search, deadline: 16_600 }, since: 1_000 },
    [reserve(15_600)],
  ],
  [
    'a session of another control plane is not placed',
    searching,
    { type: 'not_owned' },
    unclaimed,
    [],
  ],
  [
    'a leaving worker starts a move',
    placed,
    { type: 'worker_leaving' },
    reserving,
    [reserve(5_000, false)],
  ],
  [
    'a leaving worker is asked again to release',
    releasing,
    { type: 'worker_leaving' },
    releasing,
    [release],
  ],
  [
    'the worker is asked to release once there is a slot elsewhere',
    reserving,
    { type: 'reserved', lease: nextLease },
    releasing,
    [{ type: 'start_timer', ms: 10_000 }, release],
  ],
  [
    'a relieved worker that has recovered keeps its session',
    reserving,
    { type: 'reserved', lease: lease(2, firstLease.workerId) },
    placed,
    [free(lease(2, firstLease.workerId)), { type: 'hold', lease: firstLease }],
  ],
  [
    'without a slot elsewhere the session stays',
    reserving,
    { type: 'reserved', lease: null },
    placed,
    [],
  ],
  [
    'a failed request for a move changes nothing',
    reserving,
    { type: 'reserve_failed' },
    placed,
    [],
  ],
  [
    'a released session moves',
    releasing,
    { type: 'released', epoch: 1 },
    confirming,
    [stopTimer, confirmOwner],
  ],
  ['a stale release is ignored', releasing, { type: 'released', epoch: 0 }, releasing, []],
  [
    'a worker that does not answer is not waited for',
    releasing,
    { type: 'timer' },
    confirming,
    [confirmOwner],
  ],
  ['a move remembers the former worker', confirming, { type: 'owned' }, moved, [save]],
  [
    'a move without ownership frees the slot',
    confirming,
    { type: 'not_owned' },
    placed,
    [free(nextLease)],
  ],
  ['the first frame ends the handover', moved, { type: 'shown' }, { ...moved, former: null }, []],
  [
    'a claim ends a search',
    searching,
    { type: 'claimed', lease: claimed },
    { ...placed, lease: claimed },
    [cancelReserve, hold],
  ],
  [
    'a claim ends a pause',
    pausing,
    { type: 'claimed', lease: claimed },
    { ...placed, lease: claimed },
    [stopTimer, hold],
  ],
  [
    'a claim during a release does not hold the old slot',
    releasing,
    { type: 'claimed', lease: claimed },
    { ...releasing, lease: claimed },
    [],
  ],
  ['a stale claim is ignored', searching, { type: 'claimed', lease: lease(0) }, searching, []],
  [
    'a close frees the slot of a move and keeps the lease',
    releasing,
    { type: 'closed' },
    closed,
    [stopTimer, free(nextLease)],
  ],
  [
    'an end drops the former worker',
    moved,
    { type: 'ended' },
    { type: 'closed', epoch: 2, former: null, lease: null },
    [{ type: 'drop', lease: firstLease }],
  ],
  ['a closed placement starts no search', closed, { type: 'lost' }, closed, []],
];

describe('the placement of a session', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    const step = advancePlacement(state, event, times);

    expect(step.state).toEqual(expected);
    expect(step.effects).toEqual(effects);
  });

  test('a claim replaces the lease object, so that a loss of the old connection is not current', () => {
    const { state } = advancePlacement(placed, { type: 'claimed', lease: claimed }, times);

    expect(leaseOf(state)).toBe(claimed);
    expect(leaseOf(state)).not.toBe(firstLease);
  });
});
