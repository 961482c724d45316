import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { installBuilder } from './builder-packages.ts';
import { writeCompressed } from './compressed-files.ts';
import type { Guard } from '../processes/guard.ts';
import { reasonToInstall } from '../packages/install.mjs';
import { runToEnd } from '../processes/run-to-end.ts';
import { withProgress, type Say } from '../messages/progress.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const web = path.join(root, 'src/web');
/** Packages that only the pages and their build need. An installation holds built pages instead. */
const packages = path.join(web, 'packages');
const dist = path.join(web, 'dist');
const inWeb = createRequire(path.join(web, 'vite.config.ts'));
const stamp = path.join(dist, 'source.sha256');

export type PagesOrder = {
  env: Record<string, string | undefined>;
  guard: Guard;
  say: Say;
  signal?: AbortSignal;
};

/** Builds the pages unless their sources and packages are unchanged since the last build. */
export async function buildPages(order: PagesOrder): Promise<void> {
  const sources = await hashOfPages(root);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return;

  await installPackages(order);
  await withProgress(order.say, 'Building the pages', async () => {
    await runVite(order);
    await writeCompressed(dist, ['docs']);
  });
  await writeFile(stamp, sources);
}

/** The sources of the documentation are not imported. */
export const hashOfPages = (root: string): Promise<string> =>
  hashOf(root, ['src/web/**/*', 'src/protocol/**/*'], ['docs']);

/** Hash of these files without those that builds write. */
export async function hashOf(
  root: string,
  patterns: readonly string[],
  leftOut: readonly string[] = [],
): Promise<string> {
  const skipped = new Set(['dist', 'node_modules', '.astro', ...leftOut]);
  const files: string[] = [];
  for await (const entry of glob(patterns, {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => skipped.has(entry.name),
  })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash.update(path.relative(root, file)).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Development packages include them. */
async function installPackages(order: PagesOrder): Promise<void> {
  if (reasonToInstall(root) === null) return;
  await installBuilder(packages, order);
  // Node looks for packages in the folders above a source.
  const link = path.join(web, 'node_modules');
  if (!existsSync(link)) await symlink(path.join(packages, 'node_modules'), link, 'junction');
}

async function runVite({ env, guard, signal }: PagesOrder): Promise<void> {
  // Vite would remove the documentation too.
  for (const name of await readdir(dist).catch(() => [])) {
    if (name !== 'docs') await rm(path.join(dist, name), { recursive: true });
  }
  const vite = path.join(path.dirname(inWeb.resolve('vite/package.json')), 'bin/vite.js');
  const options = { cwd: root, env: childEnvironment(env), guard, signal };
  try {
    for (const config of ['vite.config.ts', 'embed/vite.config.ts']) {
      await runToEnd(
        [vite, 'build', '--config', path.join(web, config), '--logLevel', 'warn'],
        options,
      );
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`Building the pages failed:\n${(error as Error).message}`, { cause: error });
  }
}
