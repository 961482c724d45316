/*
 * Pages in a browser that lacks what they can do without: site data is blocked, and the page has a
 * LAN name without https, so there is no clipboard, no microphone and no `crypto.randomUUID`.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { blockSiteData } from '../../support/pages/blocked-browser.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { openCallStage, type CallStage } from '../../support/pages/call-stage.ts';
import { button, isLive } from '../../support/pages/room-page.ts';
import { isReady } from '../../support/pages/try-page.ts';
import { NO_AGENTS, startService, type OwnService } from '../../support/processes/service.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const LAN_NAME = 'troupe.lan';

let browser: Browser;
let stage: CallStage;
let service: OwnService;
let problems: string[] = [];

beforeAll(async () => {
  [browser, stage, service] = await Promise.all([
    openBrowser({ args: [`--host-resolver-rules=MAP ${LAN_NAME} 127.0.0.1`] }),
    openCallStage({ greeting: `Hello, I am ${FIRST_AVATAR.name}.` }),
    startService({ env: NO_AGENTS }),
  ]);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await stage.endSessions();
  problems = [];
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
  await service?.stop();
});

async function open(address: string, path: string): Promise<Page> {
  const url = new URL(path, address);
  url.hostname = LAN_NAME;
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  await page.addInitScript(blockSiteData);
  await page.goto(url.href);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  return page;
}

describe('a poor browser', () => {
  test('has a call on the room page, by typing', async () => {
    const page = await open(stage.address, `/${stage.agentId}`);

    await button(page, 'Join').click();
    await isLive(page);
    await page.getByLabel(`Message ${FIRST_AVATAR.name}`).fill('Are you open?');
    await page.keyboard.press('Enter');

    await page.getByText('You wrote: Are you open?').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('has a call in the embedded page', async () => {
    const page = await open(stage.address, `/embed/${stage.agentId}`);

    await button(page, 'Start call').click();
    await page.getByText('Live').first().waitFor();

    expect(problems).toEqual([]);
  });

  test('hears a typed sentence on the try page, and copies', async () => {
    const page = await open(service.address, `/try#code=${service.pageCode}`);
    await page.getByRole('button', { name: FIRST_AVATAR.name }).click();
    await isReady(page);

    await page.getByLabel(`What should ${FIRST_AVATAR.name} say?`).fill('Good morning.');
    await page.keyboard.press('Enter');
    await page.getByText('Speaking').first().waitFor();
    await page.getByRole('button', { name: 'Copy the session ID' }).click();

    await page.getByText('Copied').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('is asked to sign in to the console', async () => {
    const page = await open(service.address, '/console');

    await page.getByRole('heading').first().waitFor();

    expect(problems).toEqual([]);
  });
});
