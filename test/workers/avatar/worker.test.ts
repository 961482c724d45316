import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { HandGateway } from '../../support/fleet/hand-gateway.ts';
import { REJECTS_ON_MESSAGE, UNCAUGHT } from '../../support/processes/uncaught-error.ts';
import { until } from '../../support/until.ts';

let gateway: HandGateway;
let worker: ChildProcess;
let exited: Promise<unknown[]>;

async function start(env: Record<string, string> = {}): Promise<void> {
  gateway = new HandGateway();
  const port = await gateway.listen();
  const args = [...REJECTS_ON_MESSAGE, '--import', 'tsx', 'workers/avatar/main.ts'];
  worker = spawn(process.execPath, args, {
    env: {
      ...process.env,
      CONTROL_URL: `http://127.0.0.1:${port}`,
      WORKER_TOKEN: 'token',
      LOG_LEVEL: 'fatal',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  exited = once(worker, 'exit');
  await until(() => gateway.messagesOf('register').length > 0);
  gateway.say({ type: 'registered', pingEveryMs: 60_000 });
}

afterEach(async () => {
  worker.kill('SIGKILL');
  await exited;
  await gateway.close();
});

describe('avatar worker process', () => {
  beforeEach(() => start());

  test('offers slots with all built-in avatars', () => {
    const [register] = gateway.messagesOf('register');

    expect(register).toMatchObject({
      kind: 'avatar',
      transports: ['mediaserver', 'botroom'],
      abilities: ['speech_sources', 'stills', 'frames', 'sheets', 'bundles', 'builds'],
    });
    const ids = builtInAvatars()
      .all()
      .map(({ id }) => id);
    expect(register?.type === 'register' && register.avatars).toEqual(ids);
  });

  test('exits 0 when the gateway orders a drain and nothing runs', async () => {
    gateway.say({ type: 'drain' });

    expect(await exited).toEqual([0, null]);
  });

  test('exits 0 on SIGTERM when nothing runs', async () => {
    worker.kill('SIGTERM');

    expect(await exited).toEqual([0, null]);
  });

  test('exits when its parent exits', async () => {
    worker.disconnect();

    expect(await exited).toEqual([0, null]);
  });

  test('logs an unhandled rejection, and exits 1', async () => {
    let output = '';
    worker.stdout?.on('data', (text) => (output += String(text)));

    worker.send('reject');

    expect(await exited).toEqual([1, null]);
    expect(JSON.parse(output)).toMatchObject({
      msg: 'unhandled rejection',
      err: { message: UNCAUGHT },
    });
  });

  test('exits 1 when the gateway refuses it for good', async () => {
    gateway.sockets.at(-1)!.close(CLOSE.wrong_protocol.code);

    expect(await exited).toEqual([1, null]);
  });
});

test('an avatar worker that is killed keeps its compiled code', async () => {
  const cache = await mkdtemp(path.join(tmpdir(), 'troupe-compiled-'));
  try {
    await start({ NODE_COMPILE_CACHE: cache });

    worker.kill('SIGKILL');
    await exited;

    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100);
  } finally {
    await rm(cache, { recursive: true });
  }
});
