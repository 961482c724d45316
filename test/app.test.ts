import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type App } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { explain } from '../src/shared/process/operator-error.ts';
import { quietLog, WORKER_TOKEN } from './support/fleet/control-plane.ts';
import { API_KEY, NORA } from './support/api/build-app.ts';
import { FakeRooms } from './support/fleet/fake-rooms.ts';
import { SimulatedWorker } from './support/simulated-worker.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-app-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const keyOf = (letter: string) => Buffer.alloc(32, letter).toString('base64');

const start = (env: Record<string, string> = {}): Promise<App> =>
  createApp(
    loadConfig({ PORT: '0', DATA_DIR: dataDir, TROUPE_API_KEY: API_KEY, WORKER_TOKEN, ...env }),
    { rooms: new FakeRooms(), logging: { log: quietLog } },
  );

async function openSession(app: App): Promise<string> {
  const url = await app.listen();
  const worker = new SimulatedWorker({ url, token: WORKER_TOKEN, avatars: [NORA] });
  await worker.join();
  const reply = await app.server.inject({
    method: 'POST',
    url: '/v1/sessions',
    headers: { 'x-api-key': API_KEY },
    payload: { avatar_id: NORA },
  });
  worker.loseConnection();
  return reply.json<{ id: string }>().id;
}

describe('the app', () => {
  test('keeps its sessions across a restart', async () => {
    const appBefore = await start();
    const id = await openSession(appBefore);
    await appBefore.close();

    const appAfter = await start();
    const reply = await appAfter.server.inject({
      url: `/v1/sessions/${id}`,
      headers: { 'x-api-key': API_KEY },
    });

    expect(reply.json()).toMatchObject({ id, status: { type: 'to_start' } });
    await appAfter.close();
  });

  test('refuses to start with another secret key than that of its records', async () => {
    const appBefore = await start({ TROUPE_SECRET_KEY: keyOf('a') });
    await openSession(appBefore);
    await appBefore.close();

    await expect(start({ TROUPE_SECRET_KEY: keyOf('b') })).rejects.toThrow('TROUPE_SECRET_KEY');
  });

  test('can be closed twice', async () => {
    const app = await start();

    await Promise.all([app.close(), app.close()]);

    await expect(app.close()).resolves.toBeUndefined();
  });
});

describe('an app that cannot start', () => {
  test.each([
    { wrong: { WORKER_TOKEN: '' }, says: 'WORKER_TOKEN must be set' },
    { wrong: { PORT: 'many' }, says: 'PORT' },
    { wrong: { LIVEKIT_URL: 'ws://127.0.0.1:1' }, says: 'LIVEKIT_API_KEY must be set' },
    {
      wrong: { DATABASE_URL: 'postgres://troupe:secret@127.0.0.1:1/troupe' },
      says: 'PostgreSQL at 127.0.0.1:1/troupe: connect ECONNREFUSED 127.0.0.1:1. Check that it runs',
    },
    { wrong: { ALLOWED_NETWORKS: '10.0.0' }, says: 'ALLOWED_NETWORKS holds 10.0.0, which is no' },
    {
      wrong: { DATA_DIR: '/dev/null/data' },
      says: "ENOTDIR: not a directory, mkdir '/dev/null",
    },
  ])('explains it in one sentence: $says', async ({ wrong, says }) => {
    const error = await (async () => start(wrong))().then(() => 'started', explain);

    expect(error).toContain(says);
    expect(error.split('\n')).toHaveLength(1);
    expect(error).not.toContain('secret');
  });
});
