import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLAIM_MS, GIVE_UP_MS } from '../../src/avatars/builds.ts';
import type { AvatarRecord } from '../../src/records/avatars/avatars.ts';
import {
  ACCOUNT,
  openRecords,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../support/fleet/control-plane.ts';
import { newAvatar } from '../support/api/new-avatar.ts';
import type { SimulatedWorker, SimulatedWorkerOptions } from '../support/simulated-worker.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

let store: Store;
let clock: TestClock;
let plane: ControlPlane;

beforeEach(async () => {
  store = await openRecords();
  clock = new TestClock();
  plane = await start();
});
afterEach(async () => {
  await plane.close();
  await store.db.destroy();
});

async function start(): Promise<ControlPlane> {
  const started = await startControlPlane({ store, clock });
  started.builds.start();
  return started;
}

const join = (options: Partial<SimulatedWorkerOptions> = {}): Promise<SimulatedWorker> =>
  plane.worker({ abilities: ['bundles', 'builds'], ...options }).join();

async function ask(picture = 'picture', background?: string): Promise<AvatarRecord> {
  const now = clock.now();
  const pictureHash = await plane.blobs.put(Buffer.from(picture), now);
  const backgroundHash = background ? await plane.blobs.put(Buffer.from(background), now) : null;
  const fields = { pictureHash, backgroundHash, createdAt: now };
  const newFields = newAvatar({ accountId: ACCOUNT.id, ...fields });
  const avatar = await plane.avatars.insert(newFields);
  plane.builds.wake();
  return avatar!;
}

const find = async ({ id }: { id: string }) => (await plane.avatars.get(id))!;
const isWaiting = async (avatar: AvatarRecord) => (await find(avatar)).claimedUntil === 0;

async function finish(worker: SimulatedWorker, epoch: number, { id }: AvatarRecord) {
  const [bundle, portrait] = await Promise.all(
    ['bundle', 'portrait'].map((name) => plane.blobs.put(Buffer.from(name), clock.now())),
  );
  await worker.built({ avatarId: id, epoch }, bundle!, portrait!);
}

describe('an avatar build', () => {
  test('is ordered, reported and recorded', async () => {
    const worker = await join();
    const avatar = await ask();

    const order = await worker.next('build');
    expect(order).toEqual({
      type: 'build',
      placement: { avatarId: avatar.id, epoch: 1 },
      name: 'Ada',
      picture: avatar.pictureHash,
      background: 'blur',
    });
    worker.say({ type: 'build_progress', placement: order.placement, progress: 40 });
    await until(async () => (await find(avatar)).progress === 40);
    await finish(worker, 1, avatar);

    expect(await find(avatar)).toMatchObject({ status: 'ready', progress: 100 });
  });

  test('is ordered with its background picture', async () => {
    const worker = await join();
    const avatar = await ask('picture', 'office');

    expect(await worker.next('build')).toMatchObject({
      picture: avatar.pictureHash,
      background: 'blur',
      backgroundPicture: avatar.backgroundHash,
    });
  });

  test("fails for the worker's reason", async () => {
    const worker = await join();
    const avatar = await ask();
    const { placement } = await worker.next('build');

    await worker.buildFailed(placement, 'two_faces');

    expect(await find(avatar)).toMatchObject({ status: 'failed', reason: 'two_faces' });
  });

  test('waits for a worker that can build', async () => {
    const older = await join({ abilities: [] });
    const avatar = await ask();
    await plane.stayFor(3_000);
    expect(older.messages.filter(({ type }) => type === 'build')).toEqual([]);

    const worker = await join();

    expect((await worker.next('build')).placement.avatarId).toBe(avatar.id);
  });

  test('is given to a worker one at a time', async () => {
    const worker = await join();
    const firstAvatar = await ask('one');
    const { placement } = await worker.next('build');
    const secondAvatar = await ask('two');
    await plane.stayFor(2_000);
    expect(worker.messages.filter(({ type }) => type === 'build')).toHaveLength(1);

    await finish(worker, placement.epoch, firstAvatar);

    expect((await worker.next('build')).placement.avatarId).toBe(secondAvatar.id);
  });

  test('goes to another worker after a refusal', async () => {
    const refusing = await join();
    const avatar = await ask();
    const { placement } = await refusing.next('build');
    refusing.building = null;
    const secondWorker = await join();

    refusing.say({ type: 'build_refused', placement, wasBegun: false });

    expect((await secondWorker.next('build')).placement).toEqual({ avatarId: avatar.id, epoch: 2 });
    expect(await find(avatar)).toMatchObject({ tries: 1 });
  });

  test('is offered again after the cooldown of the worker that refused', async () => {
    const worker = await join();
    const avatar = await ask();
    const { placement } = await worker.next('build');
    worker.building = null;
    worker.say({ type: 'build_refused', placement, wasBegun: true });
    await until(async () => isWaiting(avatar));
    await plane.stayFor(4_000);
    expect(worker.building).toBeNull();

    await plane.stayFor(2_000);

    expect((await worker.next('build')).placement.epoch).toBe(2);
    expect(await find(avatar)).toMatchObject({ tries: 2 });
  });

  test('fails when it is not built within ten minutes', async () => {
    const avatar = await ask();

    clock.advance(GIVE_UP_MS - 1_000);
    await store.atRest();
    expect(await find(avatar)).toMatchObject({ status: 'building' });
    clock.advance(1_000);

    await until(async () => (await find(avatar)).status === 'failed');
    expect(await find(avatar)).toMatchObject({ reason: 'took_too_long' });
  });

  test('is built again when its blobs are missing', async () => {
    const worker = await join();
    const avatar = await ask();
    const { placement } = await worker.next('build');

    await worker.built(placement, 'a'.repeat(64), 'b'.repeat(64));

    expect((await worker.next('build')).placement).toEqual({ avatarId: avatar.id, epoch: 2 });
  });

  test('stops when its avatar is deleted', async () => {
    const worker = await join();
    const avatar = await ask();
    const { placement } = await worker.next('build');

    await plane.avatars.delete(ACCOUNT.id, avatar.id);
    worker.say({ type: 'build_progress', placement, progress: 10 });

    expect((await worker.next('drop_build')).placement).toEqual(placement);
  });
});

describe('a worker lost during a build', () => {
  test('is replaced by another one', async () => {
    const [dying, peer] = [await join(), await join()];
    const avatar = await ask();
    const worker = await Promise.race(
      [dying, peer].map(async (candidate) => (await candidate.next('build'), candidate)),
    );
    const survivor = worker === dying ? peer : dying;

    worker.crash();
    await plane.stayFor(2_000, [survivor]);

    await until(() => survivor.building);
    expect(survivor.building!.placement).toEqual({ avatarId: avatar.id, epoch: 2 });
    await finish(survivor, 2, avatar);
    expect(await find(avatar)).toMatchObject({ status: 'ready' });
  });

  test('keeps the build if it reconnects in time', async () => {
    const worker = await join();
    const avatar = await ask();
    await worker.next('build');

    worker.loseConnection();
    await worker.closed();
    await worker.join();
    await plane.stayFor(2_000);

    await finish(worker, 1, avatar);
    expect(await find(avatar)).toMatchObject({ status: 'ready', epoch: 1 });
  });

  test('gets the build again if it reconnects without it', async () => {
    const worker = await join();
    const avatar = await ask();
    await worker.next('build');

    worker.crash();
    await worker.closed();
    await worker.join();

    expect((await worker.next('build')).placement).toEqual({ avatarId: avatar.id, epoch: 2 });
  });

  test('counts as a try; the third loss fails the avatar', async () => {
    const worker = await join();
    const avatar = await ask();

    for (let epoch = 1; epoch <= 3; epoch++) {
      expect((await worker.next('build')).placement.epoch).toBe(epoch);
      worker.crash();
      await worker.closed();
      await worker.join();
    }

    await until(async () => (await find(avatar)).status === 'failed');
    expect(await find(avatar)).toMatchObject({ reason: 'build_failed' });
  });

  test('is one that stops reporting, although connected', async () => {
    const [silent, peer] = [await join(), await join()];
    const avatar = await ask();
    const worker = await Promise.race(
      [silent, peer].map(async (candidate) => (await candidate.next('build'), candidate)),
    );
    const nextWorker = worker === silent ? peer : silent;

    await plane.stayFor(CLAIM_MS + 1_000);

    expect((await worker.next('drop_build')).placement).toEqual({ avatarId: avatar.id, epoch: 1 });
    await until(() => nextWorker.building !== null || worker.building !== null);
    expect((nextWorker.building ?? worker.building)?.placement.epoch).toBe(2);
  });

  test('cannot report on the build of another one', async () => {
    const [builder, bystander] = [await join(), await join({ abilities: [] })];
    const avatar = await ask();
    const { placement } = await builder.next('build');

    bystander.say({ type: 'build_progress', placement, progress: 99 });
    bystander.say({ type: 'build_refused', placement, wasBegun: true });
    await bystander.buildFailed(placement, 'no_face');
    await finish(bystander, 1, avatar);

    expect((await bystander.next('drop_build')).placement).toEqual(placement);
    expect(await find(avatar)).toMatchObject({
      status: 'building',
      progress: 0,
      epoch: 1,
      workerId: builder.workerId,
    });
    await finish(builder, 1, avatar);
    expect(await find(avatar)).toMatchObject({ status: 'ready' });
  });

  test('reports too late once another one has the build', async () => {
    const worker = await join();
    const avatar = await ask();
    const { placement } = await worker.next('build');
    await plane.avatars.release({ ...placement, workerId: worker.workerId }, true);
    await plane.avatars.claim(await find(avatar), 'another control plane’s', clock.now() + 1_000);

    await finish(worker, 1, avatar);

    expect((await worker.next('drop_build')).placement).toEqual(placement);
    expect(await find(avatar)).toMatchObject({ status: 'building', epoch: 2 });
  });
});

describe('a control plane restarted during a build', () => {
  test('leaves it to its worker', async () => {
    const worker = await join();
    const avatar = await ask();
    await worker.next('build');

    const { port } = plane;
    await plane.stop();
    await worker.closed();
    plane = await startControlPlane({ store, clock, port });
    plane.builds.start();
    await worker.join();
    await plane.stayFor(1_000, [worker]);

    await finish(worker, 1, avatar);
    expect(await find(avatar)).toMatchObject({ status: 'ready', epoch: 1 });
    await worker.close();
  });

  test('reassigns it if that worker does not reconnect', async () => {
    const lostWorker = await join();
    const avatar = await ask();
    await lostWorker.next('build');

    await plane.stop();
    await lostWorker.closed();
    plane = await start();
    const worker = await join();
    await plane.stayFor(CLAIM_MS - 2_000);
    expect(worker.building).toBeNull();
    await plane.stayFor(3_000);

    expect((await worker.next('build')).placement).toEqual({ avatarId: avatar.id, epoch: 2 });
  });
});

describe('two control planes', () => {
  test('build an avatar once', async () => {
    const secondPlane = await startControlPlane({ store, clock });
    secondPlane.builds.start();
    const workers = [
      await join(),
      await secondPlane.worker({ abilities: ['bundles', 'builds'] }).join(),
    ];

    const avatar = await ask();
    secondPlane.builds.wake();
    await until(() => workers.some(({ building }) => building));
    await Promise.all(workers.map((worker) => worker.atRest()));

    expect(workers.filter(({ building }) => building)).toHaveLength(1);
    expect(await isWaiting(avatar)).toBe(false);
    await secondPlane.stop();
    await workers[1]!.close();
  });
});

describe('unreferenced blobs', () => {
  test('are swept hourly', async () => {
    const unusedBlob = await plane.blobs.put(Buffer.from('left'), clock.now());
    const { pictureHash } = await ask();

    clock.advance(2 * 3_600_000 + 1);

    await until(async () => (await plane.blobs.read(unusedBlob)) === null);
    expect(await plane.blobs.read(pictureHash)).not.toBeNull();
  });
});
