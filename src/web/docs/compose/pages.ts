import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPages } from '../api/api-pages.ts';
import type { ApiDocument } from '../api/document.ts';
import { vendorPages } from '../facts/vendors.ts';
import { withoutEvidence } from './evidence.ts';
import { withFacts } from './facts.ts';

export type DocsPage = {
  /** Below /docs; empty for the first page. */
  name: string;
  title: string;
  description: string;
  /** In the sidebar, where the title is too long. */
  label?: string;
  /** Without the title. */
  markdown: string;
};

const folder = fileURLToPath(new URL('../pages', import.meta.url));

/** All pages, with the facts from the code. */
export async function composePages(api: ApiDocument): Promise<DocsPage[]> {
  const pages: DocsPage[] = [];
  for await (const file of glob('*/*.md', { cwd: folder })) {
    const name = path.basename(file, '.md');
    const text = await readFile(path.join(folder, file), 'utf8');
    pages.push(await compose(name === 'index' ? '' : name, text));
  }
  for (const { name, text } of [...vendorPages(), ...apiPages(api, await softwareVersion())])
    pages.push(await compose(name, text));
  return pages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function softwareVersion(): Promise<string> {
  const file = fileURLToPath(new URL('../../../../package.json', import.meta.url));
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}

async function compose(name: string, text: string): Promise<DocsPage> {
  const [, head, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`docs/${name}: no head`);
  const { title = '', description = '', label } = readHead(head);
  const markdown = withoutEvidence(await withFacts(body)).trim();
  return { name, title, description, markdown, ...(label && { label }) };
}

const readHead = (head: string): Record<string, string> =>
  Object.fromEntries(
    [...head.matchAll(/^(\w+): "?(.*?)"?$/gm)].map(([, key, value]) => [key!, value!]),
  );
