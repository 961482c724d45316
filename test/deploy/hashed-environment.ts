import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { command } from './command.ts';
import { root } from './docker/engine.ts';
import { cache } from './docker/tools.ts';

const INSTALL = '-m pip install --require-hashes --quiet --disable-pip-version-check'.split(' ');

/** The Python of an environment with these packages, made once and kept outside the repository. */
export async function hashedEnvironment(name: string, requirements: string): Promise<string> {
  const list = path.join(root, requirements);
  const hash = createHash('sha256').update(await readFile(list));
  const folder = path.join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  const python = path.join(folder, 'bin/python');
  if (existsSync(python)) return python;
  // Renamed when complete. Programs in it keep the first path, except the interpreter itself.
  const draft = `${folder}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  try {
    await command('python3', ['-m', 'venv', draft]);
    await command(path.join(draft, 'bin/python'), [...INSTALL, '-r', list]);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return python;
}
