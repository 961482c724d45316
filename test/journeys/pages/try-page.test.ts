import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { babble } from '../../bench/rooms/speech.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { isReady, leave, TryPage } from '../../support/pages/try-page.ts';
import { NO_AGENTS, startService } from '../../support/processes/service.ts';
import { waveOf } from '../../support/sound/wave.ts';
import { tryPageContract, type OpenedTryPage } from './try-page.contract.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const opened = {} as OpenedTryPage;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-microphone-'));
  const speechFile = path.join(folder, 'said.wav');
  await writeFile(speechFile, waveOf(babble(48_000, 10_000), 48_000));
  const [service, browser, withMicrophone] = await Promise.all([
    startService({ env: NO_AGENTS }),
    openBrowser(),
    openBrowser({
      args: [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${speechFile}`,
      ],
    }),
  ]);
  Object.assign(opened, { service, browser, withMicrophone });
  opened.tryPage = await TryPage.open(service, browser);
});
afterAll(async () => {
  await opened.browser?.close();
  await opened.withMicrophone?.close();
  await opened.service?.stop();
  await rm(folder, { recursive: true });
});

/** Opens the second tab with the keyboard. */
async function enterBotroom(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'LiveKit room' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'LiveKit room', selected: true }).count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('tabpanel', { name: 'Botroom' }).waitFor();
  await page.locator('canvas[data-shown="true"]').waitFor();
}

describe('try page', () => {
  tryPageContract(opened, {
    transport: 'mediaserver',
    enter: async () => {},
    keepsSession: false,
  });

  test('opens again in the browser that its link opened, and in no other', async () => {
    const { service, browser, tryPage } = opened;
    const address = `${service.address}/try`;
    const link = `${address}#code=${service.pageCode}`;
    const knownPage = await browser.newPage({ storageState: tryPage.letIn });
    await knownPage.goto(address);
    await knownPage.reload();
    await knownPage.getByRole('button', { name: FIRST_AVATAR.name }).waitFor();
    const strangerPage = await browser.newPage();
    for (const [url, says] of [
      [address, 'This browser needs the link that npm start printed.'],
      [link, 'This link was already used'],
      [`${address}#code=wrong`, 'This link was already used'],
    ] as const) {
      // A new code alone changes only the fragment, which loads nothing.
      await strangerPage.goto(url);
      await strangerPage.getByRole('alert').getByText(says).waitFor();
    }
    await knownPage.close();
    await strangerPage.close();
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

describe('try page with a botroom', () => {
  tryPageContract(opened, {
    transport: 'botroom',
    enter: enterBotroom,
    keepsSession: true,
  });

  test('ends the session of the tab that it leaves', async () => {
    const page = await opened.tryPage.pick(FIRST_AVATAR.name);
    await isReady(page);
    await enterBotroom(page);
    await isReady(page);

    const [current, former] = await opened.tryPage.sessions();
    expect(current).toMatchObject({ transport: 'botroom', status: { type: 'ongoing' } });
    expect(former).toMatchObject({ transport: 'mediaserver', status: { type: 'completed' } });
    await leave(page);
  });
});
