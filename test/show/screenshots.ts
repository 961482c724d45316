/*
 * `npm run screenshots`: pictures of the pages of a service with sample data, on a desktop and a
 * phone, light and dark, in dist/screenshots.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openBrowser } from '../support/pages/browser.ts';
import { signInToConsole } from '../support/pages/console.ts';
import { openScene, type Scene } from './console-scene.ts';
import { CONSOLE_SCREENS, PUBLIC_SCREENS, type Screen } from './screens.ts';

const OUT = path.join(import.meta.dirname, '../../dist/screenshots');

const DEVICES = {
  desktop: { viewport: { width: 1360, height: 860 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
};

const LOOKS = Object.entries(DEVICES).flatMap(([device, options]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ device, colorScheme, options })),
);

let scene: Scene;
let browser: Browser;
beforeAll(async () => {
  await mkdir(OUT, { recursive: true });
  [scene, browser] = await Promise.all([openScene(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await scene?.service.close();
});

describe.each(LOOKS)('$device $colorScheme', ({ device, colorScheme, options }) => {
  let visitor: BrowserContext;
  let person: BrowserContext;
  beforeAll(async () => {
    visitor = await browser.newContext({ ...options, colorScheme });
    person = await browser.newContext({ ...options, colorScheme });
    await signInToConsole(person, scene.service);
  });
  afterAll(async () => {
    await visitor?.close();
    await person?.close();
  });

  const suffix = `${device}-${colorScheme}`;
  test.each(PUBLIC_SCREENS)('$name', (screen) => take(visitor, screen, suffix));
  test.each(CONSOLE_SCREENS)('$name', (screen) => take(person, screen, suffix));
});

async function take(
  context: BrowserContext,
  { name, path: address, prepare }: Screen,
  suffix: string,
): Promise<void> {
  const page = await context.newPage();
  await page.clock.setFixedTime(scene.service.clock.now());
  await page.goto(scene.service.url + address(scene), { waitUntil: 'load' });
  await page.locator('h1').first().waitFor();
  // Pages of the console show it while they read.
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await prepare?.(page);
  await page.evaluate(() => document.fonts.ready);
  // Only the rows in sight are drawn.
  const fullPage = prepare === undefined && !address(scene).endsWith('/sessions');
  const file = path.join(OUT, `${name}-${suffix}.png`);
  await page.screenshot({ path: file, fullPage });
  await page.close();
}
