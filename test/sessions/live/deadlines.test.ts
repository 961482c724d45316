import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionRecord } from '../../../src/records/sessions/sessions.ts';
import { atTime, expiryOf, SessionDeadline } from '../../../src/sessions/live/deadlines.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const session = (fields: Partial<SessionRecord>): SessionRecord =>
  ({
    status: 'to_start',
    createdAt: 1_000,
    startedAt: null,
    maxLengthMinutes: null,
    callId: null,
    ...fields,
  }) as SessionRecord;

describe('expiry of a session', () => {
  test('counts from the request until the first frame', () => {
    expect(expiryOf(session({}), 60_000)).toBe(61_000);
  });

  test('counts the maximum length from the start', () => {
    const ongoing = session({ status: 'ongoing', startedAt: 5_000, maxLengthMinutes: 2 });

    expect(expiryOf(ongoing, 60_000)).toBe(125_000);
  });

  test('comes later for a call, whose agent ends it after a sentence', () => {
    const ongoing = session({ status: 'ongoing', startedAt: 5_000, maxLengthMinutes: 2 });

    expect(expiryOf({ ...ongoing, callId: 'call-1' }, 60_000)).toBe(145_000);
  });

  test('does not exist for a started session without a maximum length', () => {
    expect(expiryOf(session({ status: 'ongoing', startedAt: 5_000 }), 60_000)).toBeNull();
  });

  test('does not exist for a completed session', () => {
    expect(expiryOf(session({ status: 'completed', startedAt: 1, maxLengthMinutes: 1 }), 1)).toBe(
      null,
    );
  });
});

describe('a timer at a wall time', () => {
  test('may exceed the longest timer of the platform', () => {
    const clock = new TestClock();
    const sixtyDays = 60 * 24 * 3_600_000;
    let longestMs = 0;
    let runs = 0;
    const setTimer = clock.after.bind(clock);
    clock.after = (ms, run) => {
      longestMs = Math.max(longestMs, ms);
      return setTimer(ms, run);
    };
    atTime(clock, clock.now() + sixtyDays, () => (runs += 1));

    clock.advance(sixtyDays - 1);
    expect(runs).toBe(0);
    clock.advance(1);

    expect(runs).toBe(1);
    expect(longestMs).toBeLessThan(2 ** 31);
  });

  test('can be cancelled after its first part', () => {
    const clock = new TestClock();
    const sixtyDays = 60 * 24 * 3_600_000;
    const cancel = atTime(clock, clock.now() + sixtyDays, () => expect.unreachable());

    clock.advance(sixtyDays / 2);
    cancel();

    expect(clock.waiting).toBe(0);
  });
});

function newDeadline() {
  const clock = new TestClock();
  let passed = 0;
  const deadline = new SessionDeadline(clock, 60_000, () => (passed += 1));
  const startsAt = clock.now();
  return { clock, deadline, startsAt, passed: () => passed };
}

describe('the deadline of a session', () => {
  test('moves with the state of the session', () => {
    const { clock, deadline, startsAt, passed } = newDeadline();
    deadline.update(session({ createdAt: startsAt }));

    deadline.update(session({ status: 'ongoing', startedAt: startsAt, maxLengthMinutes: 2 }));

    clock.advance(119_999);
    expect(passed()).toBe(0);
    clock.advance(1);
    expect(passed()).toBe(1);
  });

  test('sets no timer after its close', () => {
    const { clock, deadline, startsAt, passed } = newDeadline();
    deadline.update(session({ createdAt: startsAt }));
    deadline.close();

    deadline.update(session({ createdAt: startsAt }));

    clock.advance(60_000);
    expect(passed()).toBe(0);
  });
});

describe('deadlines', () => {
  let plane: ControlPlane;
  beforeEach(async () => {
    plane = await startControlPlane();
  });
  afterEach(() => plane.close());

  const find = (id: string) => plane.records.find(ACCOUNT.id, id);
  const leases = async () => (await plane.fleet.counts()).leases;

  test('end a session without a first frame within a minute', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    await worker.next('assign');

    await plane.stayFor(60_000);

    await until(async () => (await find(session.id))?.status === 'completed');
    expect(await find(session.id)).toMatchObject({ endReason: 'never_started' });
    expect(await worker.next('end')).toMatchObject({ reason: 'never_started' });
    expect(await leases()).toBe(0);
  });

  test('end a session at its maximum length, counted from its start', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request({ maxLengthMinutes: 1 }));
    const { placement } = await worker.next('assign');
    await plane.stayFor(20_000);
    await worker.started(placement);

    await plane.stayFor(59_000);
    expect(await find(session.id)).toMatchObject({ status: 'ongoing' });
    await plane.stayFor(1_000);

    await until(async () => (await find(session.id))?.status === 'completed');
    const ended = await find(session.id);
    expect(ended).toMatchObject({ endReason: 'time_limit' });
    expect((ended?.endedAt ?? 0) - (ended?.startedAt ?? 0)).toBe(60_000);
  });

  test('retry an end until it is saved', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    await worker.next('assign');
    const save = plane.records.updateState.bind(plane.records);
    let failures = 0;
    plane.records.updateState = async () => {
      failures += 1;
      throw new Error('the database is away');
    };

    await plane.stayFor(60_000);
    await until(() => failures === 1);
    plane.records.updateState = save;
    await plane.stayFor(1_000);

    await until(async () => (await find(session.id))?.status === 'completed');
  });
});
