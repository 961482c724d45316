import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { holdSaves } from '../../support/records/hold-saves.ts';
import { lose, noticed, ongoing } from '../../support/fleet/loss.ts';
import { until } from '../../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const find = (id: string) => plane.records.find(ACCOUNT.id, id);
const counts = () => plane.fleet.counts();

/** A session that two workers take turns to show for `afterMs` and give up. */
async function givenUp({ times, afterMs }: { times: number; afterMs: number }) {
  const workerA = await plane.worker().join();
  const workerB = await plane.worker().join();
  const { session } = await plane.creation.open(
    ACCOUNT,
    request({ room: { url: 'wss://rooms.example', token: 'a token' } }),
  );
  const performer = () => [workerA, workerB].find(({ performing }) => performing.has(session.id));
  const show = async (epoch: number) => {
    await until(() => performer()?.performing.get(session.id)?.placement.epoch === epoch);
    await performer()!.started({ sessionId: session.id, epoch });
  };
  await show(1);
  for (let epoch = 1; epoch <= times; epoch++) {
    await plane.stayFor(afterMs);
    const worker = performer()!;
    worker.performing.delete(session.id);
    worker.say({ type: 'refused', placement: { sessionId: session.id, epoch }, why: 'a stall' });
    await worker.atRest();
    if (epoch < times || afterMs > 60_000) await show(epoch + 1);
  }
  return { id: session.id, end: () => plane.ending.end(ACCOUNT.id, session.id) };
}

describe('a session whose worker is lost', () => {
  test('continues on another worker under a new epoch and keeps its start', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const startedAt = (await find(id))?.startedAt;
    const workerB = await plane.worker().join();

    await lose(plane, workerA, 1);

    const { placement, room } = await workerB.next('assign');
    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    expect(room.token).toBe('a token');
    await workerB.started(placement);
    expect(await find(id)).toMatchObject({
      status: 'ongoing',
      epoch: 2,
      workerId: workerB.workerId,
      startedAt,
    });
    expect(plane.eventNames).toEqual(['session.started']);
  });

  test('continues with the newest room token of the lost worker', async () => {
    const workerA = await plane.worker().join();
    const { id, placement } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    workerA.say({ type: 'renewed', placement, token: 'the second token' });
    await until(async () => (await find(id))?.renewedToken === 'the second token');

    await lose(plane, workerA, 1);

    const { room } = await workerB.next('assign');
    expect(room).toEqual({ url: 'wss://rooms.example', token: 'the second token' });
    workerB.say({ type: 'renewed', placement, token: 'of an old placement' });
    await workerB.started({ sessionId: id, epoch: 2 });
    expect(await find(id)).toMatchObject({ renewedToken: 'the second token' });
  });

  test('passes on the open speech segments that the lost worker reported last', async () => {
    const workerA = await plane.worker().join();
    const { placement } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    workerA.say({ type: 'speech', placement, open: [0] });
    workerA.say({ type: 'speech', placement, open: [3.2, 0] });
    workerA.say({ type: 'speech', placement: { ...placement, epoch: 7 }, open: [9] });
    await workerA.atRest();

    await lose(plane, workerA, 1);

    expect((await workerB.next('assign')).unanswered).toEqual([3.2, 0]);
  });

  test('keeps the open speech segments until a worker has answered them', async () => {
    const workerA = await plane.worker().join();
    const { placement } = await ongoing(plane, workerA);
    const workerB = plane.worker();
    workerB.mood = 'refuses';
    await workerB.join();
    workerA.say({ type: 'speech', placement, open: [3.2] });
    await workerA.atRest();

    await lose(plane, workerA, 1);
    await workerB.next('assign');
    const workerC = await plane.worker().join();
    const { placement: later, unanswered } = await workerC.next('assign');
    workerC.say({ type: 'speech', placement: later, open: [] });
    await workerC.atRest();
    workerC.crash();
    await noticed(plane, 1);
    workerB.mood = 'accepts';
    plane.clock.advance(1_000);

    expect(unanswered).toEqual([3.2]);
    expect((await workerB.next('assign')).unanswered).toEqual([]);
  });

  test('passes on no speech segments when no stream was reported', async () => {
    const workerA = await plane.worker().join();
    await ongoing(plane, workerA);
    const workerB = await plane.worker().join();

    await lose(plane, workerA, 1);

    expect(await workerB.next('assign')).not.toHaveProperty('unanswered');
  });

  test('waits for a worker that is restarted', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    await lose(plane, workerA);
    plane.clock.advance(13_999);

    const workerB = await plane.worker().join();

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('ends as worker_lost when no slot comes free within fifteen seconds', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    await lose(plane, workerA);
    await until(async () => (await counts()).waiting === 1);

    plane.clock.advance(15_000);

    await until(async () => (await find(id))?.status === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'worker_lost' });
    expect(await counts()).toMatchObject({ leases: 0, waiting: 0 });
    expect(plane.eventNames).toEqual(['session.started', 'session.ended worker_lost']);
  });

  test('gets a slot before new sessions that have waited longer', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const room = { url: 'wss://rooms.example', token: 'another' };
    const opening = plane.creation.open(ACCOUNT, request({ room })).catch(() => null);
    await until(async () => (await counts()).waiting === 1);
    await lose(plane, workerA);
    await until(async () => (await counts()).waiting === 2);

    const workerB = await plane.worker({ slots: 1 }).join();

    expect((await workerB.next('assign')).placement.sessionId).toBe(id);
    await workerB.atRest();
    plane.clock.advance(1_000);
    expect(await opening).toBeNull();
  });

  test('stops its search when its caller ends it', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    await lose(plane, workerA);
    await until(async () => (await counts()).waiting === 1);

    await plane.ending.end(ACCOUNT.id, id);

    expect(await counts()).toMatchObject({ leases: 0, waiting: 0 });
    expect(await find(id)).toMatchObject({ endReason: 'ended_by_client' });
  });

  test('continues elsewhere when the worker fell silent', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    const workerB = await plane.worker().join();
    workerA.stopReading();

    await plane.stayFor(14_000);

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('continues after a second loss', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    await lose(plane, workerA);
    const workerB = await plane.worker().join();
    await workerB.next('assign');
    await lose(plane, workerB);

    const workerC = await plane.worker().join();

    expect((await workerC.next('assign')).placement).toEqual({ sessionId: id, epoch: 3 });
    await workerC.started({ sessionId: id, epoch: 3 });
    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 3 });
  });

  test('may be given up any number of times if it is shown for a minute in between', async () => {
    const { id, end } = await givenUp({ times: 4, afterMs: 61_000 });

    expect(await find(id)).toMatchObject({ status: 'ongoing', epoch: 5 });
    await end();
  });

  test('ends when three workers give it up within a minute', async () => {
    const { id } = await givenUp({ times: 3, afterMs: 5_000 });

    await until(async () => (await find(id))?.status === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'worker_lost', epoch: 3 });
  });

  test('continues elsewhere together with all other sessions of the worker', async () => {
    const workerA = await plane.worker({ slots: 5 }).join();
    for (const token of ['1', '2', '3', '4', '5']) {
      await plane.creation.open(ACCOUNT, request({ room: { url: 'wss://rooms.example', token } }));
    }
    await until(() => workerA.performing.size === 5);
    await workerA.atRest();
    const workerB = await plane.worker({ slots: 5 }).join();

    await lose(plane, workerA, 1);

    await until(() => workerB.performing.size === 5);
    expect(await counts()).toMatchObject({ leases: 5, free: 0 });
  });
});

describe('a worker that does not accept a session', () => {
  test.each(['refuses', 'full'] as const)(
    'because it %s is replaced by another one',
    async (mood) => {
      const workerA = plane.worker({ workerId: 'a', slots: 2 });
      workerA.mood = mood;
      await workerA.join();
      const workerB = await plane.worker({ workerId: 'b', slots: 1 }).join();

      const { session } = await plane.creation.open(ACCOUNT, request());

      expect((await workerB.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
      await workerB.started({ sessionId: session.id, epoch: 2 });
      expect(await find(session.id)).toMatchObject({ status: 'ongoing', workerId: 'b' });
    },
  );

  test('because it is silent must drop it, and is replaced by another one', async () => {
    const workerA = plane.worker({ workerId: 'a', slots: 2 });
    workerA.mood = 'silent';
    await workerA.join();
    const workerB = await plane.worker({ workerId: 'b', slots: 1 }).join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await workerA.next('assign');

    plane.clock.advance(2_000);

    expect(await workerA.next('drop')).toEqual({ type: 'drop', placement });
    expect((await workerB.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
    workerA.say({ type: 'accepted', placement });
    await workerA.started(placement);
    expect(await find(session.id)).toMatchObject({ status: 'to_start', workerId: 'b' });
  });

  test('and is the only one is asked again until the deadline', async () => {
    const worker = plane.worker();
    worker.mood = 'refuses';
    await worker.join();
    const { session } = await plane.creation.open(ACCOUNT, request());

    // Messages to a worker take a moment: its first refusal may come a second late.
    await plane.stayFor(18_000);

    await until(async () => (await find(session.id))?.status === 'completed');
    const assignments = worker.messages.filter(({ type }) => type === 'assign').length;
    expect(assignments).toBeGreaterThan(5);
    expect(assignments).toBeLessThan(20);
    expect(await counts()).toMatchObject({ leases: 0, waiting: 0 });
  });

  test('and dies before its answer is replaced by the next one', async () => {
    const workerA = plane.worker();
    workerA.mood = 'silent';
    await workerA.join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    await workerA.next('assign');
    await lose(plane, workerA);

    const workerB = await plane.worker().join();

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
  });

  test('because it left while the room was created is replaced by the next one', async () => {
    const workerA = await plane.worker().join();
    const create = plane.rooms.create.bind(plane.rooms);
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    plane.rooms.create = async () => {
      reached.resolve();
      await goOn.promise;
      return create();
    };
    const { room: _, ...ownRoom } = request();
    const opening = plane.creation.open(ACCOUNT, ownRoom);
    await reached.promise;
    await lose(plane, workerA);
    goOn.resolve();
    const { session } = await opening;

    const workerB = await plane.worker().join();

    expect((await workerB.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
  });
});

describe('a session that ends while another slot comes free', () => {
  test('stays completed and leaves the slot free', async () => {
    const workerA = await plane.worker().join();
    const { id } = await ongoing(plane, workerA);
    await lose(plane, workerA);
    await until(async () => (await counts()).waiting === 1);
    const saving = holdSaves(plane.records);
    const ending = plane.ending.end(ACCOUNT.id, id);
    await saving.begun;
    const workerB = await plane.worker().join();

    saving.goOn();
    await ending;
    await workerB.atRest();

    expect(await find(id)).toMatchObject({ status: 'completed', epoch: 1 });
    expect(await counts()).toMatchObject({ leases: 0, free: 1 });
    expect(workerB.performing.size).toBe(0);
  });
});
