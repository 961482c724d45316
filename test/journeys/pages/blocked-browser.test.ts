/* The console and the documentation in a browser that blocks site data or the clipboard. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockClipboard, blockSiteData } from '../../support/pages/blocked-browser.ts';
import { ConsoleStage, heading } from '../../support/pages/console-stage.ts';
import { signInToConsole } from '../../support/pages/console.ts';

let stage: ConsoleStage;
let context: BrowserContext;
beforeAll(async () => void (stage = await ConsoleStage.open()));
beforeEach(async () => {
  context = await stage.browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  stage.note(context);
});
afterEach(async () => {
  await context.close();
  expect(await stage.rest()).toEqual([]);
});
afterAll(() => stage?.close());

describe('without site data', () => {
  beforeEach(() => context.addInitScript(blockSiteData));

  test.each([
    ['', 'Home'],
    ['/sessions', 'Sessions'],
    ['/start', 'Quick start'],
  ])('the console is signed in, and shows %s', async (path, title) => {
    await signInToConsole(context, stage.scene.service);

    await heading(await stage.visit(path, context), title).waitFor();
  });

  test('the documentation has its theme, and changes it', async () => {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${stage.scene.service.url}/docs`, { waitUntil: 'networkidle' });
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    expect(await theme()).toBe('dark');

    await page.getByRole('combobox', { name: 'Select theme' }).first().selectOption('light');

    expect(await theme()).toBe('light');
  });
});

const copyButton = (page: Page) => page.getByRole('button', { name: /^Copy/ }).first();
const fieldOf = (page: Page) => page.locator('textarea.copy-field');
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

async function select(): Promise<Page> {
  await signInToConsole(context, stage.scene.service);
  const page = await context.newPage();
  await page.addInitScript(blockClipboard);
  await page.goto(`${stage.scene.service.url}/console/start`);
  await copyButton(page).click();
  await page.getByText('Selected: copy it now').waitFor();
  return page;
}

describe('without the clipboard', () => {
  test('Copy selects the text and says so; a person copies it', async () => {
    const page = await select();
    const field = fieldOf(page);
    const text = await field.inputValue();
    const selection = await field.evaluate((element: HTMLTextAreaElement) => [
      document.activeElement === element,
      element.selectionStart,
      element.selectionEnd,
    ]);
    expect(selection).toEqual([true, 0, text.length]);

    await page.keyboard.press('Control+C');

    await page.getByText('Copied').first().waitFor();
    const reader = await stage.visit('', context);
    expect(await clipboard(reader)).toBe(text);
  });

  test.each([
    { how: 'it is copied', key: 'Control+C' },
    { how: 'Escape closes it', key: 'Escape' },
  ])('the button has the focus again after $how', async ({ key }) => {
    const page = await select();

    await page.keyboard.press(key);

    await fieldOf(page).waitFor({ state: 'detached' });
    expect(await copyButton(page).evaluate((button) => button === document.activeElement)).toBe(
      true,
    );
  });
});

test('people of several accounts are led to the choice of one', async () => {
  const page = await context.newPage();
  const ways = { this_machine: false, password: true, openid: null };
  await page.route('**/console/api/ways', (route) => route.fulfill({ json: ways }));
  await page.route('**/console/api/sign-in', (route) =>
    route.fulfill({
      status: 409,
      json: {
        detail: 'Several accounts have this name.',
        person_ids: ['1', '2'],
        account_names: ['first', 'second'],
      },
    }),
  );
  await page.goto(`${stage.scene.service.url}/console`);
  await page.getByLabel('Name').fill('ada');
  await page.getByLabel('Password').fill('a long password of ada');
  await page.keyboard.press('Enter');

  const choice = page.getByLabel('Account');
  await choice.waitFor();
  expect(await choice.evaluate((element) => element === document.activeElement)).toBe(true);
});
