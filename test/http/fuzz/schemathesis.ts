/*
 * `tsx test/http/fuzz/schemathesis.ts SCHEMATHESIS [ARGUMENT ...]`: the control plane as a process of its own, 1,000 simulated slots, and
 * the program at that path against it. What it may do stands in `schemathesis.toml`. Ends as it ends; leaves no process behind.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startControlProcess } from '../../support/control-process.ts';

const API_KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const WORKERS = 10;
const SLOTS = 100;

const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error('Say where schemathesis is.');

const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-schemathesis-'));
const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true })];
try {
  process.exitCode = await attack(program, args);
} finally {
  for (const close of closing.toReversed()) await close();
}

async function attack(program: string, args: string[]): Promise<number> {
  const control = await startControlProcess({
    DATA_DIR: dataDir,
    TROUPE_API_KEY: API_KEY,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000000',
    LIVEKIT_URL: await standInForRooms(),
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'a secret that nobody else has to know',
    LOG_LEVEL: 'silent',
  });
  closing.push(() => control.kill());
  await simulate(control.url);

  const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
  const attacker = spawn(
    path.resolve(program),
    ['--config-file', config, 'run', `${control.url}/openapi.json`, ...args],
    // It keeps what it has learned in the folder where it runs.
    { cwd: dataDir, stdio: 'inherit', env: { ...process.env, TROUPE_API_KEY: API_KEY } },
  );
  closing.push(() => attacker.kill());
  const [code] = (await once(attacker, 'exit')) as [number | null];
  return code ?? 1;
}

async function simulate(url: string): Promise<void> {
  const workers = spawn(
    process.execPath,
    ['test/support/simulate.ts', String(WORKERS), String(SLOTS)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], CONTROL_URL: url, WORKER_TOKEN },
    },
  );
  closing.push(() => workers.kill());
  await once(workers.stdout, 'data');
}

/** A media server that grants whatever it is asked: nobody comes to its rooms. */
async function standInForRooms(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
