import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type Axe = {
  run(of: Document): Promise<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>;
};

/** Serious and critical accessibility violations on the page. */
export async function barriers(page: Page): Promise<string[]> {
  // Injected as a browser extension would be: the page's content security policy blocks other
  // scripts.
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run(document);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
