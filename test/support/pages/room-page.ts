import type { Locator, Page } from 'playwright-core';

/** The call status shown on the stage. */
export const status = (page: Page): Locator => page.getByRole('status').first();

export const isLive = (page: Page): Promise<void> => status(page).getByText('Live').waitFor();

export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Records every status change, including short ones that polling would miss. */
export async function statuses(page: Page): Promise<() => Promise<string[]>> {
  const textsHandle = await page.evaluateHandle(() => {
    const texts: string[] = [];
    let lastText = document.querySelector('[role=status]')?.textContent;
    new MutationObserver(() => {
      const now = document.querySelector('[role=status]')?.textContent;
      if (now === lastText) return;
      lastText = now;
      texts.push(now ?? '');
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => textsHandle.jsonValue();
}
