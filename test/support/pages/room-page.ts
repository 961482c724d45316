import type { Locator, Page } from 'playwright-core';

/** What the stage says of the call. */
export const status = (page: Page): Locator => page.getByRole('status').first();

export const isLive = (page: Page): Promise<void> => status(page).getByText('Live').waitFor();

export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** All that it changes to from now on, also what it says for a moment only: whoever looks again and again may miss that. */
export async function statuses(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const texts: string[] = [];
    let last = document.querySelector('[role=status]')?.textContent;
    new MutationObserver(() => {
      const now = document.querySelector('[role=status]')?.textContent;
      if (now === last) return;
      last = now;
      texts.push(now ?? '');
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => seen.jsonValue();
}
