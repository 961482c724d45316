/* A botroom's client after the control plane that relays it was killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, WORKER_TOKEN } from '../../support/api/build-app.ts';
import { BotroomClient } from '../../support/botrooms/botroom-client.ts';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { startWorker, type WorkerProcess } from '../../support/processes/worker-process.ts';
import { risingTone, utterancesIn } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const RATE = 16_000;
const env = { WORKER_TOKEN, TROUPE_API_KEY: API_KEY };

let folder: string;
let port: string;
let plane: ControlProcess;
let worker: WorkerProcess;
let clients: BotroomClient[];
const startPlane = () => startControlProcess({ DATA_DIR: folder, PORT: port, ...env });
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-botroom-'));
  port = String(await freePort());
  plane = await startPlane();
  worker = await startWorker({ address: plane.url, dataDir: folder }, env);
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.leave();
  await worker.kill();
  await plane.kill();
  await rm(folder, { recursive: true });
});

type Session = {
  id: string;
  url: string;
  token: string;
  status: { type: string };
  end_reason?: string;
};

async function call(pathname: string, body?: object): Promise<Session> {
  const response = await fetch(`${plane.url}${pathname}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': API_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Session;
}

async function join({ url, token }: Session): Promise<BotroomClient> {
  const client = new BotroomClient(url, token);
  clients.push(client);
  await client.ready();
  return client;
}

/** The session has an avatar, and its client has lost its control plane. */
async function cutOff() {
  const session = await call('/v1/sessions', {
    avatar_id: FIRST_AVATAR.alias,
    transport: 'botroom',
  });
  const client = await join(session);
  await until(async () => (await call(`/v1/sessions/${session.id}`)).status.type === 'ongoing');
  await plane.kill();
  await until(() => client.closed !== null);
  return { session, client };
}

describe('the control plane of a botroom, killed', () => {
  test('takes its client back with the same token when it is started again', async () => {
    const { session, client } = await cutOff();

    plane = await startPlane();
    const returned = await join(session);
    await returned.speak(risingTone(RATE, 1), RATE);
    await returned.untilLoud();
    await returned.untilSilent();

    expect(client.closed?.code).toBe(1006);
    expect(utterancesIn(returned.soundSince())).toMatchObject([{ seconds: expect.closeTo(1, 1) }]);
    expect((await call(`/v1/sessions/${session.id}`)).status.type).toBe('ongoing');
    await call(`/v1/sessions/${session.id}/end`, {});
    await until(() => returned.closed !== null);
    expect(returned.closed).toEqual({
      code: 4410,
      reason: 'The session is over: ended_by_client.',
    });
  });

  test('finds the session ended when it stays away', async () => {
    const { session } = await cutOff();

    await worker.says(/left the room/);
    plane = await startPlane();
    const find = () => call(`/v1/sessions/${session.id}`);
    await until(async () => (await find()).status.type === 'completed');

    expect(await find()).toMatchObject({ end_reason: 'room_closed' });
  });
});
