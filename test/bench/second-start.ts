import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freeMediaPorts } from '../../src/start/media-server/media-server-ports.ts';
import { freePort } from '../support/processes/free-port.ts';
import { programEnv } from '../support/processes/program-env.ts';
import type { Tools } from './bench.ts';
import { type Row, row } from './report/row.ts';
import { machineMs } from './rpc.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STARTS = 5;
const MOST_MS = 3_000;

/** A later `npm start` until it is ready, beside a start of npm and Node alone. */
export async function secondStart({ say }: Tools): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-second-start-'));
  const port = await freePort();
  const { HOME, XDG_CACHE_HOME } = process.env;
  const env = {
    ...programEnv,
    HOME,
    XDG_CACHE_HOME,
    // Where `npm start` keeps compiled code by itself.
    NODE_COMPILE_CACHE: undefined,
    PORT: String(port),
    LIVEKIT_PORT: String(await freeMediaPorts(port + 1)),
    DATA_DIR: dataDir,
    VOICE: 'flite',
    HEARING: 'off',
  };
  const startsMs: number[] = [];
  const floor: number[] = [];
  try {
    say(`the first start takes ${Math.round(await startOnce(env))} ms`);
    for (let i = 0; i < STARTS; i++) {
      floor.push(await helpOnce(env));
      startsMs.push(await startOnce(env));
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    row({
      what: 'second start',
      unit: 'ms',
      values: startsMs,
      floor,
      goal: { of: 'median', atMost: MOST_MS },
      note: 'floor: `npm start -- --help`',
    }),
  ];
}

type Env = Record<string, string | undefined>;

async function startOnce(env: Env): Promise<number> {
  const from = machineMs();
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await saysReady(npm);
  const ms = machineMs() - from;
  const exit = once(npm, 'close');
  npm.kill('SIGTERM');
  await exit;
  return ms;
}

function saysReady(npm: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    npm.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Troupe is ready')) resolve();
    });
    npm.once('close', () => reject(new Error(`npm start ended:\n${output}`)));
  });
}

async function helpOnce(env: Env): Promise<number> {
  const from = machineMs();
  const npm = spawn('npm', ['start', '--', '--help'], { cwd: root, env, stdio: 'ignore' });
  await once(npm, 'close');
  return machineMs() - from;
}
