/* The documentation as the service serves it, under its content security policy. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { openBrowser } from '../../support/pages/browser.ts';

let service: BuiltApp;
let browser: Browser;
const problems: string[] = [];

beforeAll(async () => {
  [service, browser] = await Promise.all([buildApp({ slots: 0 }), openBrowser()]);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  expect(problems.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const LOOKS = [
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const;

type Look = (typeof LOOKS)[number];

/** A page that notes errors, refusals of the policy, and requests to any other host. */
async function open(path: string, look: Look = LOOKS[0]): Promise<Page> {
  const { colorScheme, width, height } = look;
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  noteProblems(context);
  const page = await context.newPage();
  await page.goto(service.url + path, { waitUntil: 'networkidle' });
  return page;
}

function noteProblems(context: BrowserContext): void {
  context.on('weberror', (error) => problems.push(error.error().message));
  context.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  context.on('request', (request) => {
    if (!request.url().startsWith(service.url)) problems.push(`asks ${request.url()}`);
  });
}

const isWiderThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe.each(LOOKS)('of width $width, $colorScheme,', (look) => {
  test.each([
    '/docs',
    '/docs/concepts',
    '/docs/botroom',
    '/docs/coming-from/tavus',
    '/docs/alerts',
    '/docs/limits',
    '/docs/api',
    '/docs/api/agents',
  ])('%s has no barriers and fits the screen', async (path) => {
    const page = await open(path, look);

    expect(await barriers(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
  });
});

describe.each(LOOKS)('an address that does not exist, width $width, $colorScheme,', (look) => {
  test('is a page with the search of the documentation, without barriers', async () => {
    const page = await open('/no/such/page', look);

    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').or(page.getByRole('textbox')).fill('webhooks');
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /webhooks/i })
      .first()
      .waitFor();
    // The browser logs the status of the page itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')]);
  });
});

describe('a page of the documentation', () => {
  test('shows the address of the service, and copies it', async () => {
    const page = await open('/docs');
    const panel = page.getByRole('tabpanel', { name: 'Python' });

    expect(await panel.textContent()).toContain(`api_url="${service.url}"`);
    await panel.getByRole('button', { name: 'Copy to clipboard' }).click();
    await page.getByText('Copied!').waitFor();

    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      `api_url="${service.url}"`,
    );
  });

  test('keeps the chosen language on the next page', async () => {
    const page = await open('/docs');
    await page.getByRole('tab', { name: 'Node' }).click();
    await page.goto(`${service.url}/docs/livekit-agent`);

    await page.getByRole('tabpanel', { name: 'Node' }).getByText('defineAgent').first().waitFor();
  });

  test('keeps the chosen look', async () => {
    const page = await open('/docs');
    await page.getByLabel('Select theme').first().selectOption('dark');
    await page.goto(`${service.url}/docs/concepts`);

    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('is found by a word that it has', async () => {
    const page = await open('/docs');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('never_started');
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /End reasons/ })
      .first()
      .click();

    await page.waitForURL('**/docs/end-reasons**');
  });

  test('shows the section that the address names', async () => {
    const page = await open('/docs/alerts#troupesessionslost');

    const heading = page.getByRole('heading', { name: 'TroupeSessionsLost' });
    const top = await heading.evaluate((element) => element.getBoundingClientRect().top);
    expect(top).toBeLessThan(200);
  });

  test('has a menu on a phone', async () => {
    const page = await open('/docs', LOOKS[1]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Concepts' }).first().click();

    await page.waitForURL('**/docs/concepts');
  });
});
