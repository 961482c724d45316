import type { DocsPage } from './pages.ts';

type Group = { title: string; pages: DocsPage[]; isFolded: boolean };

/** Pages are named by their address below /docs; `NAME/*` stands for all pages below it. */
const groups: readonly { title: string; names: readonly string[]; isFolded?: boolean }[] = [
  { title: 'Start', names: ['', 'concepts', 'troubleshooting'] },
  {
    title: 'Guides',
    names: [
      'livekit-agent',
      'pipecat',
      'plain-audio',
      'botroom',
      'own-avatar',
      'frames',
      'agents',
      'agent-costs',
      'embed',
      'webhooks',
      'sdks',
      'latency',
      'coming-from',
    ],
  },
  { title: 'Coming from', names: ['coming-from/*'], isFolded: true },
  {
    title: 'Operate',
    names: [
      'ways-to-run',
      'console',
      'one-machine',
      'three-machines',
      'systemd',
      'kubernetes',
      'fleet',
      'people',
      'alerts',
      'upgrade',
      'disasters',
      'security',
      'asvs',
    ],
  },
  {
    title: 'Reference',
    names: [
      'limits',
      'configuration',
      'cli',
      'commands',
      'metrics',
      'end-reasons',
      'worker-protocol',
      'bundle-format',
    ],
  },
  { title: 'API', names: ['api', 'api/*'], isFolded: true },
];

/** The sidebar: all pages in groups. A page without a group is an error, and so is the reverse. */
export function outlineOf(pages: readonly DocsPage[]): Group[] {
  const outline = groups.map(({ title, names, isFolded = false }) => ({
    title,
    isFolded,
    pages: names.flatMap((name) => find(pages, name)),
  }));
  const placed = new Set(outline.flatMap((group) => group.pages));
  const missing = pages.filter((page) => !placed.has(page)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`compose/outline.ts lacks ${missing.join(', ')}`);
  return outline;
}

function find(pages: readonly DocsPage[], name: string): DocsPage[] {
  const matches = pages.filter((page) =>
    name.endsWith('/*') ? page.name.startsWith(name.slice(0, -1)) : page.name === name,
  );
  if (matches.length === 0) throw new Error(`There is no page ${name}`);
  return matches;
}
