import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILMED_AVATAR } from '../../../src/web/front/face.tsx';
import { FIRST_AVATAR } from '../../support/cast.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { startService, type OwnService } from '../../support/processes/service.ts';

let service: OwnService;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const talk = (page: Page) => page.getByRole('button', { name: `Talk with ${FIRST_AVATAR.name}` });
/** In the conversation: the caption goes away. */
const answer = (page: Page) =>
  page.getByText('The licence is Apache 2.0').filter({ visible: true }).first();
const film = (page: Page) => page.getByLabel('Recording of an avatar that speaks, without sound');

describe('the front page', () => {
  test('is a recorded face for strangers, with the ways in', async () => {
    const page = await browser.newPage();
    await page.goto(service.address);

    await page.getByRole('link', { name: 'Sign in to talk' }).waitFor();
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5);
    expect(await talk(page).count()).toBe(0);
    expect(FILMED_AVATAR).toBe(FIRST_AVATAR.id);

    await page.goto(`${service.address}/#code=wrong`);
    await page.getByRole('alert').getByText('This link was already used').waitFor();
    await page.close();
  });

  test('is a conversation with the first agent for the browser that opened the printed link', async () => {
    const page = await (await browser.newContext()).newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    await page.goto(`${service.address}/#code=${service.pageCode}`);
    await film(page).waitFor();
    await page.getByText('it reads typed text').waitFor();

    await talk(page).click();
    await page.waitForFunction(() => document.activeElement?.localName === 'troupe-agent');
    // Asks at once, before there is a call.
    const message = page.getByLabel(`Message ${FIRST_AVATAR.name}`);
    await message.fill('What does it cost?');
    await message.press('Enter');
    await answer(page).waitFor();

    expect(problems).toEqual([]);
    // The call goes on after a reload, with the line that is being said.
    await page.reload();
    await answer(page).waitFor();
    await page.getByRole('button', { name: 'End call' }).click();
    await page.getByRole('button', { name: `Call ${FIRST_AVATAR.name} again` }).waitFor();
    await page.getByRole('group', { name: 'How was the call?' }).getByText('Good').click();
    await page.getByText('Thank you').waitFor();
    await page.context().close();
  });

  test('is a conversation for a browser that is signed in to the console', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${service.address}/console`);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();

    await page.goto(service.address);
    await talk(page).waitFor();
    await page.goto(`${service.address}/try`);

    await page.getByRole('button', { name: FIRST_AVATAR.name }).waitFor();
    await page.context().close();
  });
});
