import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { holdSaves } from '../../support/records/hold-saves.ts';
import { settle } from '../../support/test-clock.ts';
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
  const first = await plane.worker().join();
  const second = await plane.worker().join();
  const { session } = await plane.creation.open(
    ACCOUNT,
    request({ room: { url: 'wss://rooms.example', token: 'a token' } }),
  );
  const performer = () => [first, second].find(({ performing }) => performing.has(session.id));
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
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    const startedAt = (await find(id))?.startedAt;
    const second = await plane.worker().join();

    await lose(plane, first, 1);

    const { placement, room } = await second.next('assign');
    expect(placement).toEqual({ sessionId: id, epoch: 2 });
    expect(room.token).toBe('a token');
    await second.started(placement);
    expect(await find(id)).toMatchObject({
      status: 'ongoing',
      epoch: 2,
      workerId: second.workerId,
      startedAt,
    });
    expect(plane.eventNames).toEqual(['session.started']);
  });

  test('continues with the newest room token of the lost worker', async () => {
    const first = await plane.worker().join();
    const { id, placement } = await ongoing(plane, first);
    const second = await plane.worker().join();
    first.say({ type: 'renewed', placement, token: 'the second token' });
    await until(async () => (await find(id))?.renewedToken === 'the second token');

    await lose(plane, first, 1);

    const { room } = await second.next('assign');
    expect(room).toEqual({ url: 'wss://rooms.example', token: 'the second token' });
    second.say({ type: 'renewed', placement, token: 'of an old placement' });
    await second.started({ sessionId: id, epoch: 2 });
    expect(await find(id)).toMatchObject({ renewedToken: 'the second token' });
  });

  test('passes on the open speech segments that the lost worker reported last', async () => {
    const first = await plane.worker().join();
    const { placement } = await ongoing(plane, first);
    const second = await plane.worker().join();
    first.say({ type: 'speech', placement, open: [0] });
    first.say({ type: 'speech', placement, open: [3.2, 0] });
    first.say({ type: 'speech', placement: { ...placement, epoch: 7 }, open: [9] });
    await first.atRest();

    await lose(plane, first, 1);

    expect((await second.next('assign')).unanswered).toEqual([3.2, 0]);
  });

  test('keeps the open speech segments until a worker has answered them', async () => {
    const first = await plane.worker().join();
    const { placement } = await ongoing(plane, first);
    const second = plane.worker();
    second.mood = 'refuses';
    await second.join();
    first.say({ type: 'speech', placement, open: [3.2] });
    await first.atRest();

    await lose(plane, first, 1);
    await second.next('assign');
    const third = await plane.worker().join();
    const { placement: later, unanswered } = await third.next('assign');
    third.say({ type: 'speech', placement: later, open: [] });
    await third.atRest();
    third.crash();
    await noticed(plane, 1);
    second.mood = 'accepts';
    plane.clock.advance(1_000);

    expect(unanswered).toEqual([3.2]);
    expect((await second.next('assign')).unanswered).toEqual([]);
  });

  test('passes on no speech segments when no stream was reported', async () => {
    const first = await plane.worker().join();
    await ongoing(plane, first);
    const second = await plane.worker().join();

    await lose(plane, first, 1);

    expect(await second.next('assign')).not.toHaveProperty('unanswered');
  });

  test('waits for a worker that is restarted', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    await lose(plane, first);
    plane.clock.advance(13_999);

    const second = await plane.worker().join();

    expect((await second.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('ends as worker_lost when no slot comes free within fifteen seconds', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    await lose(plane, first);
    await until(async () => (await counts()).waiting === 1);

    plane.clock.advance(15_000);

    await until(async () => (await find(id))?.status === 'completed');
    expect(await find(id)).toMatchObject({ endReason: 'worker_lost' });
    expect(await counts()).toMatchObject({ leases: 0, waiting: 0 });
    expect(plane.eventNames).toEqual(['session.started', 'session.ended worker_lost']);
  });

  test('gets a slot before new sessions that have waited longer', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    const room = { url: 'wss://rooms.example', token: 'another' };
    const opening = plane.creation.open(ACCOUNT, request({ room })).catch(() => null);
    await until(async () => (await counts()).waiting === 1);
    await lose(plane, first);
    await until(async () => (await counts()).waiting === 2);

    const second = await plane.worker({ slots: 1 }).join();

    expect((await second.next('assign')).placement.sessionId).toBe(id);
    await second.atRest();
    plane.clock.advance(1_000);
    expect(await opening).toBeNull();
  });

  test('stops its search when its caller ends it', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    await lose(plane, first);
    await until(async () => (await counts()).waiting === 1);

    await plane.ending.end(ACCOUNT.id, id);

    expect(await counts()).toMatchObject({ leases: 0, waiting: 0 });
    expect(await find(id)).toMatchObject({ endReason: 'ended_by_client' });
  });

  test('continues elsewhere when the worker fell silent', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    const second = await plane.worker().join();
    first.stopReading();

    await plane.stayFor(14_000);

    expect((await second.next('assign')).placement).toEqual({ sessionId: id, epoch: 2 });
  });

  test('continues after a second loss', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    await lose(plane, first);
    const second = await plane.worker().join();
    await second.next('assign');
    await lose(plane, second);

    const third = await plane.worker().join();

    expect((await third.next('assign')).placement).toEqual({ sessionId: id, epoch: 3 });
    await third.started({ sessionId: id, epoch: 3 });
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
    const first = await plane.worker({ slots: 5 }).join();
    for (const token of ['1', '2', '3', '4', '5']) {
      await plane.creation.open(ACCOUNT, request({ room: { url: 'wss://rooms.example', token } }));
    }
    await until(() => first.performing.size === 5);
    await first.atRest();
    const second = await plane.worker({ slots: 5 }).join();

    await lose(plane, first, 1);

    await until(() => second.performing.size === 5);
    expect(await counts()).toMatchObject({ leases: 5, free: 0 });
  });
});

describe('a worker that does not accept a session', () => {
  test.each(['refuses', 'full'] as const)(
    'because it %s is replaced by another one',
    async (mood) => {
      const first = plane.worker({ workerId: 'a', slots: 2 });
      first.mood = mood;
      await first.join();
      const second = await plane.worker({ workerId: 'b', slots: 1 }).join();

      const { session } = await plane.creation.open(ACCOUNT, request());

      expect((await second.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
      await second.started({ sessionId: session.id, epoch: 2 });
      expect(await find(session.id)).toMatchObject({ status: 'ongoing', workerId: 'b' });
    },
  );

  test('because it is silent must drop it, and is replaced by another one', async () => {
    const first = plane.worker({ workerId: 'a', slots: 2 });
    first.mood = 'silent';
    await first.join();
    const second = await plane.worker({ workerId: 'b', slots: 1 }).join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await first.next('assign');

    plane.clock.advance(2_000);

    expect(await first.next('drop')).toEqual({ type: 'drop', placement });
    expect((await second.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
    first.say({ type: 'accepted', placement });
    await first.started(placement);
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
    const asked = worker.messages.filter(({ type }) => type === 'assign').length;
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(20);
    expect(await counts()).toMatchObject({ leases: 0, waiting: 0 });
  });

  test('and dies before its answer is replaced by the next one', async () => {
    const first = plane.worker();
    first.mood = 'silent';
    await first.join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    await first.next('assign');
    await lose(plane, first);

    const second = await plane.worker().join();

    expect((await second.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
  });

  test('because it left while the room was created is replaced by the next one', async () => {
    const first = await plane.worker().join();
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
    await lose(plane, first);
    goOn.resolve();
    const { session } = await opening;

    const second = await plane.worker().join();

    expect((await second.next('assign')).placement).toEqual({ sessionId: session.id, epoch: 2 });
  });
});

describe('a session that ends while another slot comes free', () => {
  test('stays completed and leaves the slot free', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    await lose(plane, first);
    await until(async () => (await counts()).waiting === 1);
    const saving = holdSaves(plane.records);
    const ending = plane.ending.end(ACCOUNT.id, id);
    await saving.begun;
    const second = await plane.worker().join();

    saving.goOn();
    await ending;
    await second.atRest();

    expect(await find(id)).toMatchObject({ status: 'completed', epoch: 1 });
    expect(await counts()).toMatchObject({ leases: 0, free: 1 });
    expect(second.performing.size).toBe(0);
  });
});

describe('a placement that cannot be saved', () => {
  test('is not assigned and is retried until it is saved', async () => {
    const first = await plane.worker().join();
    const { id } = await ongoing(plane, first);
    const save = plane.records.updatePlacement.bind(plane.records);
    let failures = 0;
    plane.records.updatePlacement = async () => {
      failures += 1;
      throw new Error('the database is away');
    };
    await lose(plane, first);
    const second = await plane.worker().join();
    await until(() => failures === 1);
    await second.atRest();
    expect(second.performing.size).toBe(0);

    plane.records.updatePlacement = save;
    await settle();
    plane.clock.advance(1_000);

    const { placement } = await second.next('assign');
    expect(placement.epoch).toBeGreaterThan(1);
    expect(await find(id)).toMatchObject({ epoch: placement.epoch, workerId: second.workerId });
  });

  test('leaves no timer when the control plane stops', async () => {
    const first = await plane.worker().join();
    await ongoing(plane, first);
    plane.records.updatePlacement = async () => {
      throw new Error('the database is away');
    };
    await lose(plane, first);
    await plane.worker().join();

    await plane.stop();

    expect(plane.clock.waiting).toBe(0);
  });
});
