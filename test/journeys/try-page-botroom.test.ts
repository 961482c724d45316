import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isReady, leave } from '../support/pages/try-page.ts';
import { tryPageContract } from './try-page.contract.ts';

/** Opens the second tab with the keyboard. */
async function enterBotroom(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'LiveKit room' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'LiveKit room', selected: true }).count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('tabpanel', { name: 'Botroom' }).waitFor();
  await page.locator('canvas[data-shown="true"]').waitFor();
  await isReady(page);
}

describe('try page with a botroom', () => {
  const opened = tryPageContract({
    transport: 'botroom',
    enter: enterBotroom,
    keepsSession: true,
  });

  test('ends the session of the tab that it leaves', async () => {
    const page = await opened.tryPage.pick('Nora');
    await enterBotroom(page);

    const [current, former] = await opened.tryPage.sessions();
    expect(current).toMatchObject({ transport: 'botroom', status: { type: 'ongoing' } });
    expect(former).toMatchObject({ transport: 'mediaserver', status: { type: 'completed' } });
    await leave(page);
  });
});
