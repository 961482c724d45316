import { outlineOf } from './outline.ts';
import type { DocsPage } from './pages.ts';
import { plainMarkdown } from './plain-markdown.ts';

const INTRODUCTION = `# Troupe

> Troupe is a self-hosted avatar video service: voice agents speak, Troupe gives them a face. It works with LiveKit Agents, Pipecat and the published plugins of other vendors, unmodified.

The service answers at /v1; /openapi.json describes its API. All pages in one file: /docs/llms-full.txt.`;

/** The address of a page as Markdown. */
export const markdownPath = (name: string): string => `/docs/${name || 'index'}.md`;

/** The list of all pages for language models: https://llmstxt.org */
export function llmsText(pages: readonly DocsPage[]): string {
  const groups = outlineOf(pages).map(({ title, pages: of }) => {
    const lines = of.map(
      (page) => `- [${page.title}](${markdownPath(page.name)}): ${page.description}`,
    );
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `${[INTRODUCTION, ...groups].join('\n\n')}\n`;
}

/** Every page, in the order of the sidebar. */
export const llmsFullText = (pages: readonly DocsPage[]): string =>
  outlineOf(pages)
    .flatMap((group) => group.pages)
    .map(wholePage)
    .join('\n');

export const wholePage = ({ title, markdown }: DocsPage): string =>
  `# ${title}\n\n${plainMarkdown(markdown)}\n`;
