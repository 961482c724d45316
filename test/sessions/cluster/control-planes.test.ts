import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, NORA, roomToken, WORKER_TOKEN } from '../../support/api/build-app.ts';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';

const SLOTS = 2;

let redis: RedisServer;
beforeAll(async () => {
  if (hasRedis) redis = await RedisServer.open();
});
afterAll(() => redis?.close());

type Body = Partial<{
  id: string;
  status: { type: string };
  end_reason: string;
  free_slots: number;
}>;

async function call({ url }: ControlProcess, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': API_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

const freeAt = async (plane: ControlProcess) => (await call(plane, '/readyz')).body.free_slots;
const stateAt = async (plane: ControlProcess, id: string) =>
  (await call(plane, `/v1/sessions/${id}`)).body.status?.type;

async function endsInAuditLog(plane: ControlProcess, id: string) {
  const headers = { 'x-api-key': API_KEY };
  const reply = await fetch(`${plane.url}/v1/audit-log?target_id=${id}`, { headers });
  const { data } = (await reply.json()) as {
    data: { action: string; actor: { name: string }; address: string }[];
  };
  return data.map(({ action, actor, address }) => ({ action, by: actor.name, from: address }));
}

/** As a worker does every few seconds. */
function sayLoad(worker: SimulatedWorker): void {
  const sessions = [...worker.performing.values()].map(({ placement }) => placement);
  const performing = sessions.length;
  worker.say({ type: 'load', performing, sessions, lateFrames: 0, draining: false });
}

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('three control planes with one Redis', () => {
  let place: Place;
  let planes: ControlProcess[];
  let workers: SimulatedWorker[];
  beforeEach(async () => {
    planes = [];
    workers = [];
    await redis.kill();
    await redis.start();
    place = await newPlace();
    const env = {
      ...place.env,
      REDIS_URL: redis.url,
      TROUPE_API_KEY: API_KEY,
      TROUPE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      WORKER_TOKEN,
    };
    planes = await Promise.all([0, 1, 2].map(() => startControlProcess(env)));
    for (let i = 0; i < 8; i++) await join(`worker-${i}`, planes[i % 3]!);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all(planes.map((plane) => plane.kill()));
    await place.remove();
  });

  async function join(
    workerId: string,
    { url }: ControlProcess,
    performing: SimulatedWorker['performing'] = new Map(),
  ): Promise<SimulatedWorker> {
    const worker = new SimulatedWorker({
      url,
      token: WORKER_TOKEN,
      avatars: [NORA],
      slots: SLOTS,
      workerId,
    });
    for (const [id, assign] of performing) worker.performing.set(id, assign);
    workers.push(worker);
    await worker.join();
    sayLoad(worker);
    return worker;
  }

  /** Reconnects workers to another control plane with the sessions that they perform. */
  async function moveTo(plane: ControlProcess): Promise<void> {
    const lostWorkers = workers.filter((worker) => !worker.isConnected);
    workers = workers.filter((worker) => worker.isConnected);
    for (const { workerId, performing } of lostWorkers) await join(workerId, plane, performing);
  }

  let tokens = 0;
  /** For a new room. */
  async function newRequest(): Promise<object> {
    const exp = Math.floor(Date.now() / 1000) + 3_600;
    const token = await roomToken(undefined, { exp, jti: `${(tokens += 1)}` });
    return { avatar_id: NORA, url: 'wss://media.example', token };
  }
  async function open(plane: ControlProcess): Promise<string> {
    const { status, body } = await call(plane, '/v1/sessions', await newRequest());
    expect(status).toBe(201);
    return body.id!;
  }
  const performerOf = (id: string) => workers.find(({ performing }) => performing.has(id))!;

  /** Created at one control plane, performed wherever there is a slot. */
  async function openAndStart(plane: ControlProcess, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await open(plane));
    await until(() => ids.every(performerOf));
    for (const id of ids) {
      const worker = performerOf(id);
      await worker.started(worker.performing.get(id)!.placement);
    }
    for (const worker of workers) sayLoad(worker);
    return ids;
  }

  test('share the slots of all workers, and each finds every session', async () => {
    const [a, b, c] = planes as [ControlProcess, ControlProcess, ControlProcess];
    expect(await freeAt(a)).toBe(8 * SLOTS);
    const ids = await openAndStart(a, 10);

    for (const id of ids) expect(await stateAt(c, id)).toBe('ongoing');
    expect(await freeAt(b)).toBe(8 * SLOTS - 10);
    expect(Math.max(...workers.map(({ performing }) => performing.size))).toBe(SLOTS);

    const [firstId, secondId] = ids as [string, string];
    const stream = await fetch(`${b.url}/v1/sessions/${secondId}/events`, {
      headers: { 'x-api-key': API_KEY },
    });
    const { body: ended } = await call(c, `/v1/sessions/${firstId}/end`, {});
    expect(ended).toMatchObject({ status: { type: 'completed' }, end_reason: 'ended_by_client' });
    expect(await endsInAuditLog(b, firstId)).toEqual([
      { action: 'session.ended', by: 'TROUPE_API_KEY', from: '127.0.0.1' },
    ]);
    await until(() => !workers.some(({ performing }) => performing.has(firstId)));

    const worker = performerOf(secondId);
    await worker.ended(worker.performing.get(secondId)!.placement, 'agent_left');
    expect(await stream.text()).toMatch(/event: session\.ended\ndata: .*agent_left/);
    await until(async () => (await freeAt(c)) === 8 * SLOTS - 8);
  });

  test('create one session for the first requests of a room that all receive at once', async () => {
    const rooms = 8;
    for (let i = 0; i < rooms; i++) {
      const request = await newRequest();
      const answers = await Promise.all(
        planes.map((plane) => call(plane, '/v1/sessions', request)),
      );

      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    }

    await until(async () => (await freeAt(planes[0]!)) === 8 * SLOTS - rooms);
    const sentMessages = workers.flatMap(({ messages }) => messages);
    expect(sentMessages.filter(({ type }) => type === 'assign')).toHaveLength(rooms);
  });

  test('lose no session when its owner is killed', async () => {
    const [a, b, c] = planes as [ControlProcess, ControlProcess, ControlProcess];
    const [firstId, ...ids] = (await openAndStart(a, 10)) as [string, ...string[]];
    const placements = ids.map((id) => performerOf(id).performing.get(id)!.placement);

    await a.kill();
    await until(() => workers.filter(({ isConnected }) => !isConnected).length === 3);
    await moveTo(b);
    // Their owner is gone until another control plane recovers them.
    const ends = async () => (await call(c, `/v1/sessions/${firstId}/end`, {})).status;
    expect(await ends()).toBe(503);
    await until(async () => (await ends()) === 200);

    // All are recovered in place: no worker is assigned one or told to drop one.
    await until(async () => (await freeAt(c)) === 8 * SLOTS - 9);
    for (const [i, placement] of placements.entries()) {
      const worker = performerOf(ids[i]!);
      await worker.ended(placement, 'agent_left');
      expect(await stateAt(c, ids[i]!)).toBe('completed');
    }
    await until(async () => (await freeAt(b)) === 8 * SLOTS);
    const sentMessages = workers.flatMap(({ messages }) => messages);
    const dropped = sentMessages.flatMap((message) =>
      message.type === 'drop' ? [message.placement] : [],
    );
    expect(dropped.filter(({ sessionId }) => sessionId !== firstId)).toEqual([]);
    expect(sentMessages.filter(({ type }) => type === 'assign').length).toBeLessThanOrEqual(10);
  });

  test('keep sessions placed when their worker reconnects to another one', async () => {
    const [a, b] = planes as [ControlProcess, ControlProcess];
    await openAndStart(a, 8);
    const moved = workers.find(({ workerId }) => workerId === 'worker-0')!;
    const dead = workers.find(({ workerId }) => workerId === 'worker-3')!;
    const lostIds = [...dead.performing.keys()];
    const performing = new Map(moved.performing);
    const keptPlacements = [...performing.values()].map(({ placement }) => placement);
    expect([lostIds.length, keptPlacements.length]).not.toContain(0);

    moved.loseConnection();
    const back = await join(moved.workerId, b, performing);
    dead.crash();
    workers = workers.filter((worker) => worker !== moved && worker !== dead);
    // The moved worker would have been declared lost before this, too.
    await until(() => lostIds.every(performerOf));
    // This answer comes after all notices of a loss have been handled.
    expect(await stateAt(a, keptPlacements[0]!.sessionId)).toBe('ongoing');

    const sentMessages = workers.flatMap(({ messages }) => messages);
    expect(sentMessages.filter(({ type }) => type === 'drop')).toEqual([]);
    const placed = workers.flatMap(({ performing }) => [...performing.values()]);
    for (const { sessionId, epoch } of keptPlacements) {
      expect(performerOf(sessionId)).toBe(back);
      const placements = placed.filter(({ placement }) => placement.sessionId === sessionId);
      expect(placements).toMatchObject([{ placement: { epoch } }]);
    }
  });

  test('place sessions again when their worker and its control plane are killed together', async () => {
    const [a, b] = planes as [ControlProcess, ControlProcess];
    await openAndStart(b, 8);
    const goneWorkers = workers.filter((_, i) => i % 3 === 0);
    const ids = goneWorkers.flatMap(({ performing }) => [...performing.keys()]);
    expect(ids.length).toBeGreaterThan(0);

    await a.kill();
    for (const worker of goneWorkers) worker.crash();
    workers = workers.filter((worker) => !goneWorkers.includes(worker));

    const isPlaced = (id: string) => workers.some(({ performing }) => performing.has(id));
    await until(() => ids.every(isPlaced));
    for (const id of ids) {
      const worker = performerOf(id);
      await worker.started(worker.performing.get(id)!.placement);
      expect(await stateAt(b, id)).toBe('ongoing');
    }
  });

  test('continue when Redis is killed and comes back empty', async () => {
    const [a, b] = planes as [ControlProcess, ControlProcess];
    const ids = await openAndStart(a, 6);

    await redis.kill();
    await until(async () => {
      const { status } = await call(b, '/readyz');
      return status === 503;
    });
    const refused = await call(a, '/v1/sessions', await newRequest());
    expect(refused.status).toBe(503);
    expect(await stateAt(b, ids[0]!)).toBe('ongoing');
    // The owner cannot tell a worker of another control plane.
    const elsewhere = workers.filter((_, i) => i % 3 !== 0);
    const ended = ids.find((id) => elsewhere.includes(performerOf(id)))!;
    expect((await call(a, `/v1/sessions/${ended}/end`, {})).status).toBe(200);
    expect(performerOf(ended)).toBeDefined();
    await redis.start();

    await until(() => !performerOf(ended));
    ids.splice(ids.indexOf(ended), 1);

    await until(async () => (await freeAt(b).catch(() => 0)) === 8 * SLOTS - 5);
    for (const id of ids) {
      const worker = performerOf(id);
      await worker.ended(worker.performing.get(id)!.placement, 'agent_left');
      expect(await stateAt(b, id)).toBe('completed');
    }
    await until(async () => (await freeAt(a)) === 8 * SLOTS);
  });
});
