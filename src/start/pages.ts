import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#shared/child-environment.mjs';
import type { Guard } from './processes/guard.ts';
import { endGroup, ownGroup } from './processes/process-group.ts';
import { withProgress, type Say } from './progress.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const web = path.join(root, 'src/web');
const stamp = path.join(web, 'dist/source.sha256');
const SOURCES = [
  'src/web/**/*',
  'src/protocol/**/*',
  'deploy/{helm,prometheus,systemd}/*.md',
  'SECURITY.md',
];

type PagesOrder = {
  env: Record<string, string | undefined>;
  guard: Guard;
  say: Say;
  signal?: AbortSignal;
};

/** Builds the pages unless their sources and the lockfile are unchanged since the last build. */
export async function buildPages(order: PagesOrder): Promise<void> {
  const sources = await hashOfSources(root);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return;

  await withProgress(order.say, 'Building the pages', () => runVite(order));
  await writeFile(stamp, sources);
}

/** Marks the pages as built of the present sources. */
export async function stampPages(): Promise<void> {
  await writeFile(stamp, await hashOfSources(root));
}

/** Hash of the lockfile and of everything that the pages import. */
export async function hashOfSources(root: string): Promise<string> {
  const files = [path.join(root, 'package-lock.json')];
  for await (const entry of glob(SOURCES, {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'dist',
  })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash.update(path.relative(root, file)).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function runVite({ env, guard, signal }: PagesOrder): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(
    process.execPath,
    [vite, 'build', '--config', path.join(web, 'vite.config.ts'), '--logLevel', 'warn'],
    {
      cwd: root,
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: ownGroup,
    },
  );
  guard.watch(child.pid);
  const onAbort = () => endGroup(child.pid, 'SIGKILL');
  signal?.addEventListener('abort', onAbort, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  guard.forget(child.pid);
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`Building the pages failed:\n${output.trim()}`);
}
