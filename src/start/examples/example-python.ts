import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OperatorError } from '#shared/process/operator-error.ts';

// The lists name all packages, so none are resolved: some leave packages out on purpose.
const INSTALL =
  '-m pip install --require-hashes --no-deps --quiet --disable-pip-version-check'.split(' ');

/**
 * The Python of an environment with the packages of an example, made once and kept outside the
 * repository.
 */
export async function examplePython(folder: string, say: (line: string) => void): Promise<string> {
  const requirements = path.join(folder, 'requirements.txt');
  const hash = createHash('sha256').update(await readFile(requirements));
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const venv = path.join(cache, 'troupe/examples', hash.digest('hex').slice(0, 16));
  const python = path.join(venv, 'bin/python');
  if (existsSync(python)) return python;
  say('Installing its packages, once...');
  // Renamed when complete. Scripts in it keep the first path, but the interpreter finds its
  // packages.
  const draft = `${venv}.${process.pid}`;
  await mkdir(path.dirname(venv), { recursive: true });
  try {
    await run('python3', ['-m', 'venv', draft]);
    await run(path.join(draft, 'bin/python'), [...INSTALL, '-r', requirements]);
    await rename(draft, venv);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return python;
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'close').catch((cause: Error) => {
    throw new OperatorError(
      `${program} cannot be run (${cause.message}): install Python 3.11 or newer with venv.`,
      { cause },
    );
  })) as [number | null];
  if (code !== 0)
    throw new OperatorError(`${program} ${args.join(' ')} failed: see the lines above.`);
}
