import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REQUIREMENTS = 'deploy/examples/python-worker/requirements.txt';

/** The Python of an environment with the example worker's packages, kept outside the repository. */
export async function examplePython(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'troupe/python-worker', hash);
  const python = path.join(folder, 'bin/python');
  if (existsSync(python)) return python;
  // Renamed when complete. Programs in it keep the first path, except the interpreter itself.
  const draft = `${folder}.${process.pid}`;
  await run('python3', ['-m', 'venv', draft]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  const pip = [path.join(draft, 'bin/python'), '-m', 'pip', 'install', '--require-hashes'];
  await run(pip[0]!, [...pip.slice(1), ...quiet, '-r', REQUIREMENTS]);
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return python;
}
