/* A person in the chat room, in a real browser, with a plain face and a scripted agent. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { babble } from '../../bench/rooms/speech.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { measureSound } from '../../support/pages/page-media.ts';
import { button, isLive, status, statuses } from '../../support/pages/room-page.ts';
import { openCallStage, type CallStage } from '../../support/pages/call-stage.ts';
import { roomsOf } from '../../support/processes/media-server.ts';
import { waveOf } from '../../support/sound/wave.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const GREETING = `Hello, I am ${FIRST_AVATAR.name} from the front desk. Ask me whatever you like, and take your time.`;

let stage: CallStage;
let browser: Browser;
let folder: string;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-room-page-'));
  const speechFile = path.join(folder, 'said.wav');
  await writeFile(speechFile, waveOf(babble(48_000, 10_000), 48_000));
  [stage, browser] = await Promise.all([
    openCallStage({ greeting: GREETING, env: { SLOT_WAIT_MS: '0' } }),
    openBrowser({
      args: [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${speechFile}`,
      ],
    }),
  ]);
  address = new URL(stage.agentId, stage.address).href;
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

type Row = { id: string; status: { type: string } };

const calls = async (): Promise<Row[]> => {
  const { data } = (await (await stage.api('/v1/calls')).json()) as { data: Row[] };
  return data;
};

let problems: string[];
/** Addresses that the pages asked for. */
let loaded: string[];
beforeEach(() => {
  [problems, loaded] = [[], []];
});
// A failed test leaves its call, and the next test needs the only avatar.
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await stage.endSessions();
});

/** Collects the browser's complaints, such as policy violations, in `problems`. */
async function open(url = address, locale = 'en-US'): Promise<Page> {
  const page = await (await browser.newContext({ locale })).newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(url);
  return page;
}

async function join(): Promise<Page> {
  const page = await open();
  await button(page, 'Join').click();
  await isLive(page);
  return page;
}

async function answers(page: Page, question: string): Promise<void> {
  await page.getByLabel(`Message ${FIRST_AVATAR.name}`).fill(question);
  await page.keyboard.press('Enter');
  await page.getByText(`You wrote: ${question}`).first().waitFor();
}

async function leave(page: Page): Promise<void> {
  await button(page, 'Leave').click();
  await page.getByText('You left the call').waitFor();
  await page.close();
}

const isMediaClient = (url: string): boolean => url.includes('/live-call-');

describe('room page', () => {
  test('lets a person join, be greeted, write, mute, leave, and keep the transcript', async () => {
    const page = await open();
    await page.getByText('AI avatar').waitFor();
    expect(await barriers(page)).toEqual([]);
    // Before anybody is about to join.
    expect(loaded.filter(isMediaClient)).toEqual([]);
    await page.mouse.move(10, 10);
    await expect.poll(() => loaded.some(isMediaClient)).toBe(true);
    await page.getByLabel('Your name').fill('Zoë');
    await button(page, 'Test it').click();
    await page.getByLabel('Choose a microphone').waitFor();
    await expect.poll(() => levelOf(page)).toBeGreaterThan(0.05);

    await button(page, 'Join').click();
    await isLive(page);
    await page.getByRole('region', { name: 'Transcript' }).getByText(GREETING).waitFor();
    const sound = await measureSound(page);
    expect(sound.loudest).toBeGreaterThan(0.02);
    expect(await page.locator('.caption').textContent()).toContain('front desk');
    expect(await page.getByText('AI avatar').isVisible()).toBe(true);
    await page.locator('.stage').getByText('Listening').waitFor();
    await expect.poll(() => levelOf(page)).toBeGreaterThan(0.05);
    expect(await barriers(page)).toEqual([]);

    await button(page, 'Mute').click();
    await button(page, 'Unmute').waitFor();
    expect(await page.locator('.control .meter').count()).toBe(0);

    await answers(page, 'When do you open?');

    await button(page, 'Leave').click();
    await page.getByText('You left the call').waitFor();
    expect(await barriers(page)).toEqual([]);
    await button(page, 'Good').click();
    await page.getByLabel('What was good?').fill('Quick.');
    await button(page, 'Send').click();
    await page.getByText('Your words were sent').waitFor();
    expect(await barriers(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download transcript').click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain(
      `${FIRST_AVATAR.name}: ${GREETING}\n\nYou: When do you open?\n\n${FIRST_AVATAR.name}: You wrote:`,
    );
    const rated = { rating: 'good', rating_comment: 'Quick.' };
    expect((await calls())[0]).toMatchObject({ status: { type: 'completed' }, ...rated });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('returns to the same call, as muted as before, after a reload', async () => {
    const page = await join();
    const [call] = await calls();
    await button(page, 'Mute').click();
    await button(page, 'Unmute').waitFor();

    await page.reload();
    await isLive(page);
    await button(page, 'Unmute').waitFor();

    const [still] = await calls();
    expect(still).toMatchObject({ id: call?.id, status: { type: 'ongoing' } });
    await answers(page, 'Are you still there?');
    await leave(page);
  });

  test('continues the same call after an outage of the media server', async () => {
    const page = await join();
    const [call] = await calls();
    const { pid } = stage.mediaServer;

    process.kill(pid, 'SIGSTOP');
    await status(page).getByText('is reconnecting').waitFor();
    expect(await barriers(page)).toEqual([]);
    process.kill(pid, 'SIGCONT');
    await isLive(page);

    expect((await calls())[0]).toMatchObject({ id: call?.id, status: { type: 'ongoing' } });
    await answers(page, 'Are you back?');
    await leave(page);
  });

  test('reports that the browser is offline and continues', async () => {
    const page = await join();

    await page.context().setOffline(true);
    await status(page).getByText('Connection lost').waitFor();
    await page.context().setOffline(false);

    await isLive(page);
    await leave(page);
  });

  test('returns a person removed by the media server to the same call', async () => {
    const page = await join();
    const [call] = await calls();
    const rooms = roomsOf(stage.mediaServer);
    const user = `user-${call!.id}`;
    const shownStatuses = await statuses(page);

    // Rooms of earlier calls may still exist.
    for (const { name } of await rooms.listRooms()) {
      const isHere = (await rooms.listParticipants(name)).some(({ identity }) => identity === user);
      if (isHere) await rooms.removeParticipant(name, user);
    }
    await expect.poll(shownStatuses).toContainEqual(expect.stringContaining('Connection lost'));
    await isLive(page);

    expect((await calls())[0]).toMatchObject({ id: call?.id, status: { type: 'ongoing' } });
    await answers(page, 'Did you miss me?');
    await leave(page);
  });

  test('continues in the newer tab when opened twice', async () => {
    const page = await join();
    const storedState = await page.evaluate(() => Object.entries(sessionStorage));
    const newer = await page.context().newPage();
    await newer.goto(address);

    await newer.evaluate((items) => {
      for (const [name, value] of items) sessionStorage.setItem(name, value);
    }, storedState);
    await newer.reload();

    await isLive(newer);
    await page.getByText('The call continues in another window').waitFor();
    await answers(newer, 'Still me?');
    await leave(newer);
  });

  test('reports that a lost agent will return, and it does', async () => {
    const page = await join();

    await stage.agents.vanish();
    await status(page).getByText('is reconnecting').waitFor();
    await stage.agents.comeBack();
    await isLive(page);

    await answers(page, 'Hello again');
    await leave(page);
  });

  test('puts a waiting person through when a line is free', async () => {
    const firstPage = await join();

    const second = await open();
    await button(second, 'Join').click();
    await second.getByText('All lines are busy').waitFor();
    expect(await barriers(second)).toEqual([]);
    await second.getByText('You are number 1 in line.').waitFor();
    await leave(firstPage);
    await isLive(second);

    await leave(second);
  });

  test('returns a person who stops waiting to the lobby without opening a call', async () => {
    const firstPage = await join();
    const callsBefore = (await calls()).length;
    const second = await open();
    await button(second, 'Join').click();
    await second.getByText('All lines are busy').waitFor();

    await button(second, 'Stop waiting').click();

    await button(second, 'Join').waitFor();
    await second.close();
    await leave(firstPage);
    expect(await calls()).toHaveLength(callsBefore);
  });

  test('explains that an agent without hearing reads messages, until it hears', async () => {
    stage.agents.hears = false;
    const page = await join();

    await page.getByText('cannot hear you in this call').waitFor();
    expect(await button(page, 'Mute').or(button(page, 'Unmute')).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hide this notice' }).click();
    await page.getByText('cannot hear you in this call').waitFor({ state: 'hidden' });
    await answers(page, 'Do you read?');

    await stage.agents.hear();
    await button(page, 'Unmute').click();
    await button(page, 'Mute').waitFor();
    await leave(page);
  });

  test('explains a denied microphone and continues without it', async () => {
    const page = await open();
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await button(page, 'Test it').click();
    await page.getByRole('alert').getByText('is blocked on this page').waitFor();
    expect(await barriers(page)).toEqual([]);

    await button(page, 'Join').click();
    await isLive(page);
    await page.getByRole('alert').getByText('is blocked on this page').waitFor();
    await answers(page, 'I have no microphone');
    await leave(page);
  });

  test('explains an unreachable service and retries', async () => {
    const page = await open();
    await button(page, 'Join').waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await button(page, 'Join').click();
    await page.getByText(`${FIRST_AVATAR.name} cannot be reached`).waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.unroute('**/v1/**');
    await button(page, 'Try again').click();

    await button(page, 'Join').waitFor();
    await page.close();
  });

  test('explains an unknown agent in the language of the browser, and an exhausted plan', async () => {
    const nobody = await open(new URL('00000000-0000-4000-8000-000000000000', address).href, 'de');
    await nobody.getByText('Agent nicht gefunden').waitFor();
    expect(await nobody.locator('html').getAttribute('lang')).toBe('de');
    expect(await barriers(nobody)).toEqual([]);
    await nobody.close();

    const full = await open();
    await full.route('**/calls', (route) => route.fulfill({ status: 429, json: { detail: '' } }));
    await button(full, 'Join').click();
    await full.getByText('All lines are busy').waitFor();
    expect(await barriers(full)).toEqual([]);
    await full.unroute('**/calls');
    await button(full, 'Try again').click();
    await button(full, 'Join').waitFor();
    await full.close();
  });
});

const levelOf = (page: Page): Promise<number> =>
  page
    .locator('.meter')
    .first()
    .evaluate((meter: HTMLElement) => Number(meter.style.getPropertyValue('--level')));
