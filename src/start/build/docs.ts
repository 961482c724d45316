import { existsSync } from 'node:fs';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { installBuilder } from './builder-packages.ts';
import { writeCompressed } from './compressed-files.ts';
import { hashOf, type PagesOrder } from './pages.ts';
import { runToEnd } from '../processes/run-to-end.ts';
import { withProgress } from '../messages/progress.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const docs = path.join(root, 'src/web/docs');
/** Its packages are no part of an installation: they only build. */
const site = path.join(docs, 'site');
const built = path.join(root, 'src/web/dist/docs');
const draft = path.join(root, 'src/web/dist/docs.draft');
const STAMP = 'source.sha256';
/** Pagefind writes interfaces for its index, too; the pages have that of Starlight. */
const OTHER_SEARCH_PAGES = 'pagefind/pagefind-{ui,component-ui,modular-ui,highlight}.*';
const QUIET = ['--disable-warning=ExperimentalWarning'];
/** The sources of the pages. The whole control plane describes the API. */
const SOURCES = [
  'package.json',
  'src/web/docs/**/*',
  'src/web/{plugin,look}/**/*',
  'src/protocol/**/*',
  'src/start/commands/*.ts',
  'src/http/**/*',
  'src/{errors,accounts/plan,events/*,fleet/fleet,sessions/reconciliation/diff}.ts',
  'deploy/{helm,prometheus,systemd}/*.md',
  'deploy/*.md',
  'src/cli/REFERENCE.md',
  '.env.example',
  'SECURITY.md',
];

/**
 * Builds the documentation unless its sources are unchanged since the last build. Needs npm's
 * registry once.
 */
export async function buildDocs(order: PagesOrder): Promise<void> {
  // An installed package holds the built pages, without their sources.
  if (!existsSync(docs)) return;
  const sources = await hashOfDocs(root);
  const formerHash = await readFile(path.join(built, STAMP), 'utf8').catch(() => '');
  if (formerHash !== sources) {
    await withProgress(order.say, 'Building the documentation', () => makeDocs(order, sources));
  }
}

/**
 * The same beside a running service, which does without the documentation if that fails. The page
 * `/docs` says that it is being built, so the terminal does not.
 */
export async function buildDocsBehind(order: PagesOrder, build = buildDocs): Promise<void> {
  try {
    await build({ ...order, say: () => {} });
  } catch {
    if (order.signal?.aborted) return;
    order.say('The documentation could not be built: `npm run build:pages` shows why.');
  }
}

export const hashOfDocs = (root: string): Promise<string> => hashOf(root, SOURCES);

async function makeDocs(order: PagesOrder, sources: string): Promise<void> {
  await installBuilder(site, order);
  const run = {
    cwd: root,
    env: childEnvironment(order.env),
    guard: order.guard,
    signal: order.signal,
  };
  try {
    await runToEnd(
      [
        ...QUIET,
        path.join(root, 'src/start/commands/openapi.ts'),
        path.join(site, 'dist/openapi.json'),
      ],
      run,
    );
    await runToEnd([...QUIET, path.join(docs, 'build.ts'), '--out', draft], run);
  } catch (error) {
    order.signal?.throwIfAborted();
    throw new Error(`Building the documentation failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
  for await (const file of glob(OTHER_SEARCH_PAGES, { cwd: draft }))
    await rm(path.join(draft, file));
  await writeCompressed(draft);
  await writeFile(path.join(draft, STAMP), sources);
  // A running service has whole pages at any time.
  await rm(built, { recursive: true, force: true });
  await rename(draft, built);
}
