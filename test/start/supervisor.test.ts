import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REJECTS_ON_MESSAGE, UNCAUGHT } from '../support/processes/uncaught-error.ts';
import { until } from '../support/until.ts';
import { programEnv } from '../support/processes/program-env.ts';

test('the supervisor reports an unhandled rejection, stops what it started, and exits 1', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-supervisor-'));
  // It waits for this port before it starts any program.
  const portHolder = createServer().listen(0, '127.0.0.1');
  await once(portHolder, 'listening');
  const { port } = portHolder.address() as AddressInfo;
  const supervisor = spawn(process.execPath, [...REJECTS_ON_MESSAGE, 'src/start/supervisor.ts'], {
    env: { ...programEnv, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(supervisor, 'exit');
  let output = '';
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.on('data', (text) => (output += String(text)));
  await until(() => existsSync(path.join(dataDir, 'service-keys.json')));

  supervisor.send('reject');
  const [code] = await exited;
  portHolder.close();
  rmSync(dataDir, { recursive: true });

  expect(code).toBe(1);
  expect(output).toContain(`Troupe stops because of an unhandled rejection: Error: ${UNCAUGHT}`);
  expect(output).not.toContain('cannot start');
});

test('the supervisor names settings that are given by their old names', async () => {
  const supervisor = spawn(process.execPath, ['src/start/supervisor.ts'], {
    env: { ...programEnv, PORT: 'none', DOOR_MEDIA_SERVERS: 'wss://key:secret@media.example' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  supervisor.stdout.on('data', (text) => (output += String(text)));

  // After its output has ended.
  await once(supervisor, 'close');

  expect(output).toContain('DOOR_MEDIA_SERVERS is the old name of INFERENCE_MEDIA_SERVERS.');
  expect(output).toContain('Troupe cannot start. Configuration: PORT');
});
