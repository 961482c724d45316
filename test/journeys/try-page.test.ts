import { describe, expect, test } from 'vitest';
import { pageLink } from '../../src/shared/network/page-link.ts';
import { tryPageContract } from './try-page.contract.ts';

describe('try page', () => {
  const opened = tryPageContract({
    transport: 'mediaserver',
    enter: async () => {},
    keepsSession: false,
  });

  test('opens again in the browser that its link opened, and in no other', async () => {
    const { service, browser, tryPage } = opened;
    const link = pageLink(service.address, service.pageCode);
    const known = await browser.newPage({ storageState: tryPage.letIn });
    await known.goto(service.address);
    await known.reload();
    await known.getByRole('button', { name: 'Nora' }).waitFor();
    const other = await browser.newPage();
    for (const [address, says] of [
      [service.address, 'This browser needs the link that npm start printed.'],
      [link, 'This link was used already'],
      [`${service.address}/#code=wrong`, 'This link was used already'],
    ] as const) {
      // A new code alone changes only the fragment, which loads nothing.
      await other.goto(address);
      await other.getByRole('alert').getByText(says).waitFor();
    }
    await known.close();
    await other.close();
  });

  test('documents the API on a page that the content security policy allows', async () => {
    const { service, browser } = opened;
    const problems: string[] = [];
    const page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    await page.goto(`${service.address}/docs/api/console`);
    await page.getByText('Verify API key').first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('API key is required.').first().waitFor();

    expect(problems.filter((text) => !text.includes('401'))).toEqual([]);
    await page.close();
  });
});
