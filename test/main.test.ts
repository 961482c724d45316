import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REJECTS_ON_MESSAGE, UNCAUGHT } from './support/processes/uncaught-error.ts';
import { programEnv } from './support/processes/program-env.ts';

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-main-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

type Ready = { type: 'ready'; address: string; newKey?: string };

function start(env: Record<string, string> = {}, execArgv: string[] = []) {
  const child = fork('src/main.ts', {
    env: {
      ...programEnv,
      PORT: '0',
      DATA_DIR: dataDir,
      WORKER_TOKEN: 'a token that workers know',
      LOG_LEVEL: 'silent',
      ...env,
    },
    execArgv,
    stdio: 'pipe',
  });
  children.push(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = once(child, 'message').then(([message]) => message as Ready);
  return { child, exited, ready };
}

describe('the control plane process', () => {
  test('announces its address, and its generated key once; ends in order when told to or alone', async () => {
    const firstProcess = start();
    const { address, newKey } = await firstProcess.ready;
    const reply = await fetch(`${address}/v1/auth/verify`, {
      headers: { 'x-api-key': newKey ?? '' },
    });
    firstProcess.child.kill('SIGTERM');
    const [code] = await firstProcess.exited;
    const second = start();
    const secondReady = await second.ready;
    // Its supervisor is gone.
    second.child.disconnect();

    expect(reply.status).toBe(204);
    expect(code).toBe(0);
    expect((await second.exited)[0]).toBe(0);
    expect(secondReady).toEqual({
      type: 'ready',
      models: { hears: null, installed: null, speaks: null, thinks: null },
      address: expect.any(String),
      pageCode: expect.stringMatching(/^\w{24}$/),
      consoleCode: expect.stringMatching(/^\w{40}$/),
    });
  });

  test('keeps its compiled code when it is killed', async () => {
    const cache = path.join(dataDir, 'compiled');
    const { child, exited, ready } = start({ NODE_COMPILE_CACHE: cache });
    await ready;

    child.kill('SIGKILL');
    await exited;

    expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(100);
  });

  // test/app.test.ts tests the other sentences.
  test('ends with one sentence about what is wrong', async () => {
    const { child, exited, ready } = start({
      DATABASE_URL: 'postgres://troupe:secret@127.0.0.1:1/troupe',
    });
    ready.catch(() => {});
    let stderr = '';
    child.stderr?.on('data', (text) => (stderr += String(text)));

    expect((await exited)[0]).toBe(1);
    expect(stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:1\/troupe: .*\n$/);
  });

  test('logs a setting that is given by its old name', async () => {
    const { child, exited, ready } = start({
      LOG_LEVEL: 'warn',
      DOOR_MEDIA_SERVERS: 'wss://key:secret@media.example',
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += String(text)));
    await ready;
    child.kill('SIGTERM');
    await exited;

    expect(output).toContain('DOOR_MEDIA_SERVERS is the old name of INFERENCE_MEDIA_SERVERS.');
  });

  test('logs an unhandled rejection, closes in order, and exits 1', async () => {
    const { child, exited, ready } = start({ LOG_LEVEL: 'info' }, REJECTS_ON_MESSAGE);
    let output = '';
    child.stdout?.on('data', (text) => (output += String(text)));
    await ready;

    child.send('reject');
    const [code] = await exited;

    expect(code).toBe(1);
    const line = output.split('\n').find((text) => text.includes('"unhandled rejection"')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: UNCAUGHT } });
    // An unclosed database leaves its log behind.
    expect(readdirSync(dataDir).filter((name) => name.endsWith('-wal'))).toEqual([]);
  });
});
