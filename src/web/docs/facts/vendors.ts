import type { VendorAdapter } from '../../../http/compat/vendor-adapter.ts';
import { VENDOR_ADAPTERS } from '../../../http/compat/vendor-adapters.ts';
import { linesOf, snippetsFor, type Snippet } from '../../plugin/snippets.ts';
import { SERVICE } from '../compose/service-address.ts';
import { vendorSnippets } from './vendor-snippets.ts';
import { table } from './tables.ts';

const languages: Record<string, string> = {
  Python: 'python',
  Pipecat: 'python',
  Node: 'ts',
  Env: 'sh',
  curl: 'sh',
};

/** A fence with the lines of a snippet, of which the new ones are marked. */
function fence(snippet: Snippet): string {
  const lines = linesOf(snippet);
  const added = lines.flatMap(({ isNew }, at) => (isNew ? [at + 1] : []));
  // Marks would only disturb where every line is new.
  const add = added.length < lines.length ? ` add="${added.join(',')}"` : '';
  return [
    `\`\`\`${languages[snippet.name] ?? 'python'} tab="${snippet.name}"${add} note="${snippet.note}"`,
    ...lines.map(({ text }) => text),
    '```',
  ].join('\n');
}

const tabs = (snippets: Snippet[]): string =>
  ['::: tabs', ...snippets.map(fence), ':::'].join('\n');

/** Code that connects the plugin of LiveKit Agents to this service. */
export const pluginGuide = (): string => tabs(snippetsFor(SERVICE, { id: 'nora', name: 'Nora' }));

const [shortestAdapter, ...otherAdapters] = VENDOR_ADAPTERS;

const guide = (adapter: VendorAdapter): string =>
  [tabs(vendorSnippets(adapter, SERVICE)), ...differences(adapter)].join('\n\n');

export const shortestGuide = (): string => guide(shortestAdapter!);

function differences({ docs, signals = [] }: VendorAdapter): string[] {
  if (!signals.some(({ means }) => means === 'emotion')) return docs.differs;
  return [
    'Emotions work with avatars that have pictures for them. Of the built-in avatars, Nora can look warm, concerned or amused.',
    ...docs.differs,
  ];
}

const packages = ({ docs }: VendorAdapter): string =>
  [docs.python, docs.node, docs.pipecat]
    .flatMap((change) => (change ? [`\`${change.package}\``] : []))
    .join(', ');

/** Every vendor, with its place in the page of before. */
export const vendorIndex = (): string =>
  table(
    ['Service', 'Works with, unmodified'],
    otherAdapters.map((adapter) => [
      `{#${adapter.word}}[${adapter.name}](/docs/coming-from/${adapter.word})`,
      packages(adapter),
    ]),
  );

/** A page for each vendor. */
export const vendorPages = (): { name: string; text: string }[] =>
  otherAdapters.map((adapter) => ({
    name: `coming-from/${adapter.word}`,
    text: `---
title: Coming from ${adapter.name}
description: The lines to change in a program that uses ${adapter.name}, and the differences.
label: ${adapter.name}
---

Your program keeps its published client, ${packages(adapter)}. Change the address and the key: an avatar on your own machines takes over.

## Change these lines

${guide(adapter)}

## What stays, what differs

Use a Troupe key where the client expects the vendor’s key. Name a Troupe avatar, such as \`nora\`, or keep the vendor’s id: the default avatar is used then. [What applies to all of them](/docs/coming-from#same) has the details.
`,
  }));

/** The published video services for Pipecat. */
export const pipecatTabs = (): string =>
  tabs(
    VENDOR_ADAPTERS.flatMap((adapter) =>
      vendorSnippets(adapter, SERVICE)
        .filter(({ name }) => name === 'Pipecat')
        .map((snippet) => ({ ...snippet, name: adapter.name })),
    ),
  );
