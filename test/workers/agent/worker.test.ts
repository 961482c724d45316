import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadAgentConfig } from '../../../workers/agent/config.ts';
import { HandGateway } from '../../support/fleet/hand-gateway.ts';
import { REJECTS_ON_MESSAGE, UNCAUGHT } from '../../support/processes/uncaught-error.ts';
import { installHearingStandIn } from '../../support/sound/recognizer-stand-in.ts';
import { until } from '../../support/until.ts';

let gateway: HandGateway;
let worker: ChildProcess;
let exited: Promise<unknown[]>;

async function start(env: Record<string, string>): Promise<void> {
  gateway = new HandGateway();
  const port = await gateway.listen();
  worker = spawn(process.execPath, [...REJECTS_ON_MESSAGE, 'workers/agent/main.ts'], {
    env: {
      ...process.env,
      CONTROL_URL: `http://127.0.0.1:${port}`,
      WORKER_TOKEN: 'token',
      AGENT_SLOTS: '3',
      VOICE: 'flite',
      LOG_LEVEL: 'fatal',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  exited = once(worker, 'exit');
  await until(() => gateway.messagesOf('register').length > 0);
  gateway.say({ type: 'registered', pingEveryMs: 60_000, takesAbilities: true });
}

async function stop(): Promise<void> {
  worker.kill('SIGKILL');
  await exited;
  await gateway.close();
}

describe('agent worker process', () => {
  beforeEach(() => start({ HEARING: 'off' }));
  afterEach(stop);

  test('offers slots for conversations, reports ready to its parent, and drains', async () => {
    const [ready] = (await once(worker, 'message')) as unknown[];
    const [register] = gateway.messagesOf('register');
    worker.kill('SIGTERM');

    expect(ready).toEqual({ type: 'ready' });
    expect(register).toMatchObject({ kind: 'agent', slots: 3, avatars: [], abilities: [] });
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
});

// The stand-in for Python is a script.
describe.skipIf(process.platform === 'win32')('an agent worker without hearing', () => {
  test('tells the control plane when it hears', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-agent-'));
    await start({ SPEECH_DIR: folder });
    expect(gateway.messagesOf('register')).toMatchObject([{ abilities: [] }]);

    await installHearingStandIn(folder);
    await until(() => gateway.messagesOf('abilities').length > 0);

    expect(gateway.messagesOf('abilities')).toEqual([
      { type: 'abilities', abilities: ['hears:en'] },
    ]);
    await stop();
    await rm(folder, { recursive: true });
  });
});

describe('agent worker configuration', () => {
  test('defaults to eight conversations per core, and accepts two voices', () => {
    const env = { WORKER_TOKEN: 'token' };

    expect(loadAgentConfig(env, 2)).toMatchObject({
      AGENT_SLOTS: 16,
      VOICE: 'hibari',
      HEARING: 'moonshine',
    });
    expect(() => loadAgentConfig({ ...env, VOICE: 'loud' }, 2)).toThrow(/VOICE/);
  });
});
