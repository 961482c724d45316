import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { systemClock } from '#shared/clock.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { buildDocs } from '../../../src/start/build/docs.ts';
import { buildPages } from '../../../src/start/build/pages.ts';
import type { Figures } from '../baseline.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const PAGES = path.join(ROOT, 'src/web/dist');
const AVATAR = path.join(ROOT, 'workers/avatar');
const SHIPPED = ['avatars/*.avatar', 'avatars/*.webp', '**/*.wasm', 'lipsync/weights.json'];

/**
 * Compressed size of everything a browser loads before a page is usable: the page, and its scripts
 * and styles.
 */
export async function pageSizes(): Promise<Figures> {
  const guard = new Guard(systemClock);
  const order = { env: process.env, guard, say: () => {} };
  await buildPages(order)
    .then(() => buildDocs(order))
    .finally(() => guard.close());
  const figures: Figures = {};
  // Pages of the documentation load the same files.
  for (const page of await filesIn(
    '{,try/,room/,embed/,console/,docs/,docs/api/agents/}index.html',
    PAGES,
  )) {
    const html = await readFile(path.join(PAGES, page), 'utf8');
    const named = [...html.matchAll(/(?:src|href)="\/?([^"]+\.(?:js|css))"/g)].map(
      ([, file]) => file!,
    );
    figures[path.dirname(page)] = await sumOf(new Set([page, ...named]));
  }
  const assets = await filesIn('assets/*.{js,css}', PAGES);
  const embedded = assets.filter((file) => path.basename(file).startsWith('embedded-'));
  const scripts = assets.filter((file) => !embedded.includes(file));
  // A browser loads at most one, unless the page is in English.
  const languages = embedded.filter((file) => /embedded-[a-z]{2}-/.test(file));
  const inEnglish = embedded.filter((file) => !languages.includes(file));
  // Pages of others load it; its media client follows when a call starts.
  const beforeCall = inEnglish.filter((file) => !file.includes('live-call'));
  figures['embed.js'] = await sumOf(['embed.js', ...beforeCall]);
  figures['embed.js and a call'] = await sumOf(['embed.js', ...inEnglish]);
  figures['largest language of embed.js'] = Math.max(
    ...(await Promise.all(languages.map(compressed))),
  );
  figures['all scripts and styles'] = await sumOf(scripts);
  figures['all documentation'] = await sumOf(await filesIn('docs/**/*.{html,js,css}', PAGES));
  return figures;
}

async function sumOf(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...files].map(compressed));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes of a page in English for a browser: page, scripts, styles and font, with brotli. */
export async function transferred(page: string): Promise<number> {
  const html = await readFile(path.join(PAGES, page), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/?([^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file!,
  );
  const fonts = await filesIn('assets/*-latin-opsz-*.woff2', PAGES);
  const files = [page, ...new Set(named), ...fonts].map((file) => path.join(PAGES, file));
  const sizes = await Promise.all(files.map((file) => stat(`${file}.br`).catch(() => stat(file))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** Bytes of the try page's code for botrooms, minified, without what it shares. */
export async function botroomCodeSize(): Promise<number> {
  const folder = path.join(ROOT, 'src/web/try/botroom');
  const folders = [folder, path.join(ROOT, 'src/protocol/botroom')];
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    worker: { format: 'es' },
    build: {
      write: false,
      minify: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: path.join(folder, 'botroom-seats.ts'),
        preserveEntrySignatures: 'strict',
        external: (id, importer) =>
          importer !== undefined &&
          !folders.some((each) => resolved(id, importer).startsWith(each)),
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  return output.reduce(
    (sum, file) => sum + Buffer.byteLength(file.type === 'chunk' ? file.code : file.source),
    0,
  );
}

const resolved = (id: string, importer: string) =>
  id.startsWith('#') ? path.join(ROOT, id.replace('#', 'src/')) : path.resolve(importer, '..', id);

/** Uncompressed sizes of the files that an avatar worker ships with. */
export async function shippedSizes(): Promise<Figures> {
  const figures: Figures = {};
  for (const pattern of SHIPPED) {
    for (const file of await filesIn(pattern, AVATAR))
      figures[file] = (await stat(path.join(AVATAR, file))).size;
  }
  return figures;
}

async function filesIn(pattern: string, cwd: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd })) files.push(file);
  return files.sort();
}

const compressed = async (file: string) =>
  gzipSync(await readFile(path.join(PAGES, file)), { level: 9 }).length;
