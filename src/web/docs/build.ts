/*
 * Builds the documentation: `node src/web/docs/build.ts --api FILE [--out FOLDER] [--static]`.
 * `npm run build:pages` runs it. FILE is the OpenAPI document. With --static, the pages are for
 * another server, and samples name http://127.0.0.1:8080.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ApiDocument } from './api/document.ts';
import { llmsFullText, llmsText, markdownPath, wholePage } from './compose/llms.ts';
import { outlineOf } from './compose/outline.ts';
import { composePages, type DocsPage } from './compose/pages.ts';
import { siteMarkdown } from './compose/site-markdown.ts';
import { moveInlineParts } from './compose/inline-parts.ts';

const inDocs = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const site = inDocs('site');
const { values } = parseArgs({
  options: {
    api: { type: 'string', default: inDocs('site/dist/openapi.json') },
    out: { type: 'string' },
    static: { type: 'boolean', default: false },
  },
});
const out = path.resolve(values.out ?? inDocs('../dist/docs'));
/** Astro loads what it builds, so its packages must be in a folder above. */
const built = path.join(site, 'dist/built');

const api = JSON.parse(await readFile(values.api, 'utf8')) as ApiDocument;
const pages = await composePages(api);
await writeSources(pages);
await runAstro();
await moveInlineParts(built);
await writeTexts(pages);
// The service has this file at its root.
await cp(inDocs('../favicon.svg'), path.join(built, 'favicon.svg'));
if (values.static) await writeFile(path.join(built, 'service-address.js'), '');
await rm(out, { recursive: true, force: true });
await cp(built, out, { recursive: true });

async function writeSources(pages: DocsPage[]): Promise<void> {
  const folder = path.join(site, 'dist/pages');
  await rm(folder, { recursive: true, force: true });
  for (const { name, title, description, label, markdown } of pages) {
    const head = Object.entries({ title, description, label }).flatMap(([key, value]) =>
      value ? [`${key}: ${JSON.stringify(value)}`] : [],
    );
    await write(
      path.join(folder, `${name || 'index'}.mdx`),
      `---\n${head.join('\n')}\n---\n\n${siteMarkdown(markdown)}\n`,
    );
  }
  await cp(inDocs('site/src/404.mdx'), path.join(folder, '404.mdx'));
  await writeFile(path.join(site, 'dist/sidebar.json'), JSON.stringify(sidebarOf(pages)));
}

/** As Starlight takes it. */
function sidebarOf(pages: DocsPage[]) {
  return outlineOf(pages).map(({ title, isFolded, pages: of }) => ({
    label: title,
    collapsed: isFolded,
    items: of.map((page) => ({ label: page.label ?? page.title, link: `/${page.name}` })),
  }));
}

async function runAstro(): Promise<void> {
  const astro = path.join(site, 'node_modules/astro/bin/astro.mjs');
  const child = spawn(
    process.execPath,
    [astro, 'build', '--root', site, '--outDir', built, '--silent'],
    { stdio: 'inherit', env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' } },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('Building the documentation failed.');
}

/** Serves language models, and readers who prefer Markdown. */
async function writeTexts(pages: DocsPage[]): Promise<void> {
  for (const page of pages) {
    const file = path.relative('/docs', markdownPath(page.name));
    await write(path.join(built, file), wholePage(page));
  }
  await writeFile(path.join(built, 'llms.txt'), llmsText(pages));
  await writeFile(path.join(built, 'llms-full.txt'), llmsFullText(pages));
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
