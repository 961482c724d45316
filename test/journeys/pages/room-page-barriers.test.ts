/* Accessibility of the room page in short-lived or rare states. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../../support/pages/barriers.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { button, isLive, status } from '../../support/pages/room-page.ts';
import { openCallStage, type CallStage } from '../../support/pages/call-stage.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let stage: CallStage;
let browser: Browser;
let address: string;

beforeAll(async () => {
  [stage, browser] = await Promise.all([
    openCallStage({ greeting: `Hello, I am ${FIRST_AVATAR.name} from the front desk.` }),
    openBrowser({
      args: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
    }),
  ]);
  const { chat_url } = await (await stage.api(`/v1/agents/${stage.agentId}`)).json();
  address = new URL(stage.agentId, stage.address).href;
  expect(chat_url).toBe(address);
});
// The next test needs the only avatar, also after a failed test.
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await stage.endSessions();
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const LOOKS = [
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const;

type Look = (typeof LOOKS)[number];

async function open({ colorScheme, width, height }: Look): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height } });
  return context.newPage();
}

/** The person reads no further before this question is answered. */
async function hold(page: Page, pathname: string): Promise<() => void> {
  const release = Promise.withResolvers<void>();
  await page.route(pathname, async (route) => {
    await release.promise;
    await route.continue();
  });
  return release.resolve;
}

describe.each(LOOKS)('the room page of width $width, $colorScheme,', (look) => {
  test('has no barriers during a call', async () => {
    const page = await open(look);
    const answerChat = await hold(page, '**/v1/chat/*');
    await page.goto(address);
    await page.getByText('One moment').waitFor();
    expect(await barriers(page)).toEqual([]);
    answerChat();

    await button(page, 'Test it').click();
    await page.getByLabel('Choose a microphone').waitFor();
    expect(await barriers(page)).toEqual([]);

    const answerCalls = await hold(page, '**/calls');
    await button(page, 'Join').click();
    await status(page).getByText('Calling').waitFor();
    expect(await barriers(page)).toEqual([]);
    answerCalls();

    await isLive(page);
    await button(page, 'Settings').click();
    await page.getByLabel('Speaker').waitFor();
    await page.getByLabel('Caption size').selectOption('Very large');
    await button(page, 'Mute').click();
    await button(page, 'Unmute').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Speaker').waitFor({ state: 'hidden' });
    const settings = button(page, 'Settings');
    expect(await settings.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.context().setOffline(true);
    await status(page).getByText('Connection lost').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.context().setOffline(false);
    await isLive(page);

    await button(page, 'Leave').click();
    await page.getByText('You left the call').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('has no barriers when the browser blocks sound and the microphone is taken', async () => {
    const page = await open(look);
    await page.addInitScript(() => {
      let isAllowed = false;
      const allow = ({ target }: Event) => {
        isAllowed ||= target instanceof Element && target.textContent === 'Turn on sound';
      };
      // Runs before the page's own handler plays.
      addEventListener('click', allow, { capture: true });
      // oxlint-disable-next-line typescript/unbound-method -- called on its element
      HTMLMediaElement.prototype.play = new Proxy(HTMLMediaElement.prototype.play, {
        apply: (play, element: HTMLMediaElement, given) =>
          isAllowed || element.tagName !== 'AUDIO'
            ? Reflect.apply(play, element, given)
            : Promise.reject(new DOMException('not yet', 'NotAllowedError')),
      });
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('taken', 'NotReadableError'));
    });
    await page.goto(address);
    await button(page, 'Join').click();
    await isLive(page);
    await button(page, 'Turn on sound').waitFor();
    await page.getByRole('alert').waitFor();
    expect(await barriers(page)).toEqual([]);

    await button(page, 'Turn on sound').click();
    await button(page, 'Turn on sound').waitFor({ state: 'detached' });
    await button(page, 'Leave').click();
    await page.getByText('You left the call').waitFor();
  });

  test('has no barriers when there is no call or it ends elsewhere', async () => {
    const page = await open(look);
    await page.route('**/calls', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { detail: '' } }),
    );
    await page.goto(address);
    await button(page, 'Join').click();
    await page.getByText('Try again in 10 minutes').waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.unroute('**/calls');
    await button(page, 'Try again').click();
    await button(page, 'Join').click();
    await isLive(page);
    await stage.endSessions();
    await button(page, `Call ${FIRST_AVATAR.name} again`).waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
