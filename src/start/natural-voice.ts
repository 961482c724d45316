import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guard } from './processes/guard.ts';
import { endGroup, ownGroup } from './processes/process-group.ts';
import type { Say } from './messages/progress.ts';

/** The voice with its model, and what it needs, by checksum. */
const REQUIREMENTS = fileURLToPath(
  new URL('../../deploy/natural-voice/requirements.txt', import.meta.url),
);
const INSTALL = '-m pip install --require-hashes --quiet --disable-pip-version-check'.split(' ');

type NaturalVoiceOrder = {
  /** DATA_DIR. */
  dataDir: string;
  env: Record<string, string | undefined>;
  guard: Guard;
  say: Say;
  signal: AbortSignal;
  python?: string;
};

/**
 * Installs the natural voice for agents once, in its own folder, in the background. Until then, and
 * without Python, agents use the small voice. The file `ready` marks a complete installation.
 */
export async function installNaturalVoice(order: NaturalVoiceOrder): Promise<void> {
  const { dataDir, env, say, signal } = order;
  const python = order.python ?? 'python3';
  const folder = path.resolve(dataDir, 'voice');
  if (env['VOICE'] === 'flite' || existsSync(path.join(folder, 'ready'))) return;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Remove an interrupted installation.
    await rm(folder, { recursive: true, force: true });
    await run(python, ['-m', 'venv', folder], order);
    const venvPython = path.join(folder, ...(process.platform === 'win32' ? WINDOWS : POSIX));
    await run(venvPython, [...INSTALL, '-r', REQUIREMENTS], order);
    await writeFile(path.join(folder, 'ready'), '');
  } catch (error) {
    if (signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    say(`Agents use the small voice: installing the natural one failed (${why}).`);
  }
}

const POSIX = ['bin', 'python'];
const WINDOWS = ['Scripts', 'python.exe'];

async function run(
  command: string,
  args: string[],
  { env, guard, signal }: NaturalVoiceOrder,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(command, args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: ownGroup,
  });
  guard.watch(child.pid);
  const onAbort = () => endGroup(child.pid, 'SIGKILL');
  signal.addEventListener('abort', onAbort, { once: true });
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-300);
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(lastWords.trim().split('\n').at(-1) || `exit ${code}`);
  } finally {
    guard.forget(child.pid);
    signal.removeEventListener('abort', onAbort);
  }
}
