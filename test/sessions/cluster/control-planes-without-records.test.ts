import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { API_KEY, NORA, roomToken, WORKER_TOKEN } from '../../support/api/build-app.ts';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { copyDatabase } from '../../support/records/postgres-databases.ts';
import { PostgresServer } from '../../support/records/postgres.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { scriptedSlots, type ScriptedSlots } from '../../support/fleet/scripted-slots.ts';
import { until } from '../../support/until.ts';

const RESEND_MS = 100;

let redis: RedisServer;
let postgres: PostgresServer;
beforeAll(async () => {
  if (!hasRedis) return;
  redis = await RedisServer.open();
  // Its own server, because the test stops it.
  postgres = await PostgresServer.open();
});
afterAll(async () => {
  await redis?.close();
  await postgres?.close();
});

type Session = { status?: { type: string; ended_at?: string }; end_reason?: string };

const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
const find = async ({ url }: ControlProcess, id: string): Promise<Session> =>
  (await (await fetch(`${url}/v1/sessions/${id}`, { headers })).json()) as Session;

const freeAt = async ({ url }: ControlProcess): Promise<number> => {
  const reply = (await (await fetch(`${url}/readyz`)).json()) as { free_slots: number };
  return reply.free_slots;
};
/** Ends the session. False while no control plane owns it. */
async function isEnded({ url }: ControlProcess, id: string): Promise<boolean> {
  const init = { method: 'POST', headers, body: '{}' };
  return (await fetch(`${url}/v1/sessions/${id}/end`, init)).status === 200;
}

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('control planes whose PostgreSQL is unavailable', () => {
  let place: Place;
  let planes: ControlProcess[];
  let workers: ScriptedSlots[];
  beforeEach(async () => {
    await redis.kill();
    await redis.start();
    place = await newPlace();
    const env = {
      DATA_DIR: place.dataDir,
      DATABASE_URL: await copyDatabase(postgres.url),
      REDIS_URL: redis.url,
      TROUPE_API_KEY: API_KEY,
      TROUPE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      WORKER_TOKEN,
    };
    planes = [];
    for (let i = 0; i < 3; i++) planes.push(await startControlProcess(env));
    workers = planes.map(({ url }, i) =>
      scriptedSlots({
        url,
        clock: systemClock,
        workerId: `worker-${i}`,
        avatars: [NORA],
        resendMs: RESEND_MS,
      }),
    );
    for (const { slots } of workers) slots.open();
    await until(async () => (await freeAt(planes[0]!)) === 6);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all(planes.map((plane) => plane.kill()));
    await place.remove();
  });

  let tokens = 0;
  async function post({ url }: ControlProcess): Promise<Response> {
    const exp = Math.floor(Date.now() / 1000) + 3_600;
    const token = await roomToken(undefined, { exp, jti: `${(tokens += 1)}` });
    const body = JSON.stringify({ avatar_id: NORA, url: 'wss://media.example', token });
    return fetch(`${url}/v1/sessions`, { method: 'POST', headers, body });
  }
  /** Created at one control plane, performed by any worker. */
  async function open(plane: ControlProcess) {
    const { id } = (await (await post(plane)).json()) as { id: string };
    const performing = () => workers.flatMap((worker) => worker.performanceOf(id) ?? []);
    await until(() => performing().length === 1);
    return { id, performance: performing()[0]! };
  }

  test('continue sessions, refuse new ones, and record afterwards what happened', async () => {
    const [a, b, c] = planes as [ControlProcess, ControlProcess, ControlProcess];
    const [goesOn, ends, begins, late] = [
      await open(a),
      await open(b),
      await open(c),
      await open(a),
    ];
    for (const { id, performance } of [goesOn, ends]) {
      performance.start();
      await until(async () => (await find(c, id)).status?.type === 'ongoing');
    }

    const { link } = workers.find(({ performanceOf }) => performanceOf(ends.id))!;
    const says = vi.spyOn(link, 'send');
    const ended = () => says.mock.calls.filter(([{ type }]) => type === 'ended');
    await postgres.stop();
    begins.performance.start();
    ends.performance.finish('agent_left');
    for (const plane of planes) {
      const reply = await post(plane);
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('2');
      expect(await reply.text()).not.toMatch(/postgres|connect/i);
    }
    late.performance.start();
    late.performance.finish('room_closed');
    // No worker was assigned or told to drop a session.
    expect(goesOn.performance.calls).toEqual([]);
    expect(begins.performance.calls).toEqual([]);
    expect(workers.every(({ link }) => link.isOpen)).toBe(true);
    expect(workers.flatMap(({ stage }) => stage)).toHaveLength(4);

    // Long enough that the unknown delay of the last delivery is small in comparison.
    await until(() => ended().length >= 10);
    const backAt = Date.now();
    await postgres.start();

    const is = async (id: string, type: string) => (await find(b, id)).status?.type === type;
    await until(() => is(ends.id, 'completed'));
    await until(() => is(late.id, 'completed'));
    await until(() => is(begins.id, 'ongoing'));
    expect(await is(goesOn.id, 'ongoing')).toBe(true);
    expect(await find(a, ends.id)).toMatchObject({ end_reason: 'agent_left' });
    expect(await find(a, late.id)).toMatchObject({ end_reason: 'room_closed' });
    // Dated when it happened, not when it was written.
    const { status } = await find(a, ends.id);
    expect(Date.parse(status!.ended_at!)).toBeLessThanOrEqual(backAt);
    await until(async () => (await freeAt(c)) === 4);
    expect((await post(b)).status).toBe(201);
  });

  test('recover the sessions of one that is killed meanwhile once PostgreSQL is back', async () => {
    const [a, b, c] = planes as [ControlProcess, ControlProcess, ControlProcess];
    const sessions = [await open(a), await open(a), await open(b)];
    for (const { id, performance } of sessions) {
      performance.start();
      await until(async () => (await find(c, id)).status?.type === 'ongoing');
    }

    await postgres.stop();
    await a.kill();
    // Long enough for the others to detect the loss and to fail in recovering its sessions.
    await until(async () => (await freeAt(c)) === 4 - heldBy(1) - heldBy(2));
    await postgres.start();

    for (const { id } of sessions) await until(() => isEnded(c, id));
  });

  /** Number of sessions that this worker performs. */
  const heldBy = (worker: number) => workers[worker]!.stage.length;
});
