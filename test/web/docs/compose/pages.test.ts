import { describe, expect, test } from 'vitest';
import { withFacts } from '../../../../src/web/docs/compose/facts.ts';
import { llmsFullText, llmsText } from '../../../../src/web/docs/compose/llms.ts';
import { outlineOf } from '../../../../src/web/docs/compose/outline.ts';
import { plainMarkdown } from '../../../../src/web/docs/compose/plain-markdown.ts';
import { slugOf } from '../../../../src/web/docs/compose/site-markdown.ts';
import { docsPages } from '../../../support/pages/docs.ts';

const pages = await docsPages();
const byName = new Map(pages.map((page) => [page.name, page]));

/** The addresses inside a page. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = [...markdown.matchAll(/\{#([\w-]+)\}/g)].map(([, id]) => id!);
  const titles = [...markdown.matchAll(/^#+ (.*?)(?: \{#[\w-]+\})?$/gm)];
  return new Set([...anchors, ...titles.map(([, title]) => slugOf(title!.replaceAll('`', '')))]);
}

/** Served by the service beside the documentation. */
const OTHERS = new Set([
  '/',
  '/try',
  '/openapi.json',
  '/worker-protocol.json',
  '/docs/api/console',
]);

function brokenLinks(name: string, markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (link.startsWith('https:') || OTHERS.has(link)) return false;
    const [path = '', anchor] = link.split('#');
    const page = byName.get(path === '' ? name : path.replace(/^\/docs\/?/, ''));
    if (!page || (path !== '' && !/^\/docs(\/|$)/.test(path))) return true;
    return anchor !== undefined && !anchorsOf(page.markdown).has(anchor);
  });
}

/** Published addresses: links to them must stay true. */
const PUBLISHED = {
  '': ['key', 'plugin', 'room', 'sound', 'life'],
  'coming-from': ['same', 'plugins', 'inference', 'anam', 'tavus', 'ojin'],
  botroom: ['open', 'client', 'protocol', 'closing', 'bot', 'outages', 'limits'],
  'own-avatar': ['send', 'wait', 'use', 'sessions'],
  agents: ['settings', 'models', 'knowledge', 'voices', 'said'],
  limits: ['plans', 'sizes', 'errors'],
  webhooks: ['make', 'events', 'check', 'delivery'],
  'one-machine': ['start', 'firewall', 'local', 'change', 'backup', 'observe', 'trouble'],
  'three-machines': ['before', 'secrets', 'start', 'paths', 'more', 'upgrade', 'fails'],
  systemd: [],
  kubernetes: [],
  fleet: [
    'add',
    'choice',
    'wait',
    'drain',
    'several',
    'scale',
    'audit',
    'timeline',
    'metrics',
    'ends',
  ],
  alerts: ['objectives', 'troupesessionslost'],
  'worker-protocol': ['example', 'environment', 'connection', 'session', 'closing', 'certify'],
  upgrade: [],
  disasters: [],
  security: [],
};

describe('the documentation', () => {
  test.each(pages)('of $name has a title, a description, and no open fact', (page) => {
    expect(page.title).not.toBe('');
    expect(page.description).not.toBe('');
    expect(page.markdown).not.toMatch(/\{\{[\w-]+|undefined/);
  });

  test.each(pages)('of $name has no broken link', ({ name, markdown }) => {
    expect(brokenLinks(name, markdown)).toEqual([]);
  });

  test.each(Object.entries(PUBLISHED))('keeps the address /docs/%s', (name, anchors) => {
    const pageAnchors = anchorsOf(byName.get(name)!.markdown);

    expect(anchors.filter((anchor) => !pageAnchors.has(anchor))).toEqual([]);
  });

  test('has a place for each page', () => {
    expect(outlineOf(pages).flatMap((group) => group.pages)).toHaveLength(pages.length);
    expect(() => outlineOf(pages.slice(1))).toThrow('There is no page');
    expect(() => outlineOf([...pages, { ...pages[0]!, name: 'new' }])).toThrow('lacks new');
  });

  test('refuses a fact that does not exist', async () => {
    await expect(withFacts('{{nothing}}')).rejects.toThrow('unknown fact: nothing');
    await expect(withFacts('{{term NOTHING}}')).rejects.toThrow('no room term NOTHING');
  });

  test('is listed for language models', () => {
    const list = llmsText(pages);

    for (const { name, title } of pages) {
      expect(list).toContain(`[${title}](/docs/${name || 'index'}.md)`);
    }
    expect(llmsFullText(pages)).toContain('\n# Botrooms\n');
  });

  test('as Markdown has no marks of its own', () => {
    for (const { markdown } of pages) expect(plainMarkdown(markdown)).not.toMatch(/\{#|^:::/m);
  });
});
