/*
 * An agent in a page of another origin: the example pages, on another origin than the service and
 * with a content security policy without `unsafe-inline`, in a real browser.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../../support/pages/barriers.ts';
import { dataUrlOf, logoBytes } from '../../support/picture/logo.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { openCallStage, type CallStage } from '../../support/pages/call-stage.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const GREETING = `Hello, I am ${FIRST_AVATAR.name} from the front desk.`;

let stage: CallStage;
let browser: Browser;
let site: ChildProcess;
let origin: string;

const allow = (...origins: string[]): Promise<void> => change({ allowed_origins: origins });

const change = async (body: object): Promise<void> => {
  const { status } = await stage.api(`/v1/agents/${stage.agentId}`, { method: 'PATCH', body });
  expect(status).toBe(204);
};

beforeAll(async () => {
  [stage, browser] = await Promise.all([
    openCallStage({ greeting: GREETING }),
    openBrowser({
      args: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
    }),
  ]);
  site = spawn(process.execPath, ['deploy/examples/embed/serve.mjs'], {
    env: {
      TROUPE_URL: stage.address,
      LIVEKIT_PUBLIC_URL: stage.mediaServer.url,
      AGENT_ID: stage.agentId,
      PORT: '0',
    },
  });
  const [printed] = (await once(site.stdout!, 'data')) as [Buffer];
  origin = String(printed).trim();
});
// The next test needs the only avatar, also after a failed test.
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await stage.endSessions();
});
afterAll(async () => {
  await browser?.close();
  site?.kill();
  await stage?.close();
});

const LOOKS = [
  { colorScheme: 'light', width: 1280, height: 800, accent: '#ffd400', ink: 'rgb(0, 0, 0)' },
  { colorScheme: 'dark', width: 390, height: 844, accent: '#000080', ink: 'rgb(255, 255, 255)' },
] as const;

type Look = (typeof LOOKS)[number];
type Visit = { page: Page; warnings: string[]; loaded: string[] };

/** `warnings`: errors of the console, which names violations of the content security policy. */
async function open(name: string, { colorScheme, width, height }: Look = LOOKS[0]): Promise<Visit> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height } });
  const page = await context.newPage();
  const visit: Visit = { page, warnings: [], loaded: [] };
  page.on('console', (line) => line.type() === 'error' && visit.warnings.push(line.text()));
  page.on('pageerror', (error) => visit.warnings.push(error.message));
  page.on('request', (request) => visit.loaded.push(request.url()));
  await page.goto(`${origin}/${name}.html`);
  return visit;
}

const button = (page: Pick<Page, 'getByRole'>, name: string) =>
  page.getByRole('button', { name, exact: true });
const event = (page: Page, text: string) =>
  page.getByRole('listitem').filter({ hasText: text }).first();
const isLive = (page: Page) => event(page, '"state":"live"').waitFor();

describe('an agent in a page of another origin', () => {
  test('needs the permission of its owner', async () => {
    await allow('https://somebody.example');
    const { page, warnings } = await open('plain');

    await page.getByRole('alert').getByText('not available here').waitFor();
    expect(await barriers(page)).toEqual([]);
    const explanation = `${origin} may not show the agent ${stage.agentId}`;
    expect(warnings.filter((line) => line.includes(explanation))).toHaveLength(1);

    await allow(origin);
    await button(page, 'Try again').click();
    await button(page, 'Start call').waitFor();

    // A script may name the agent after it put the element into the page.
    await page.evaluate((id) => {
      document.querySelector('troupe-agent')!.remove();
      const late = document.body.appendChild(document.createElement('troupe-agent'));
      late.setAttribute('language', 'de');
      late.setAttribute('agent', id);
    }, stage.agentId);
    await button(page, 'Anrufen').waitFor();
  });

  test.each(LOOKS)(
    'talks and writes, without barriers: width $width, $colorScheme',
    async (look) => {
      await allow(origin);
      await change({
        appearance: {
          accent_color: look.accent,
          logo: dataUrlOf(logoBytes()),
          welcome_text: 'Welcome to the museum.',
        },
      });
      const { page, warnings, loaded } = await open('plain', look);
      await page.getByText('Welcome to the museum.').waitFor();
      const start = button(page, 'Start call');
      expect(await start.evaluate((each) => getComputedStyle(each).color)).toBe(look.ink);
      await page.waitForFunction(() => {
        const logo = document.querySelector('troupe-agent')?.shadowRoot?.querySelector('img.logo');
        return logo instanceof HTMLImageElement && logo.naturalWidth > 0;
      });
      expect(await barriers(page)).toEqual([]);
      expect(loaded.filter((url) => url.includes('live-call'))).toEqual([]);

      // By keyboard alone.
      await button(page, 'Start call').focus();
      await expect.poll(() => loaded.some((url) => url.includes('live-call'))).toBe(true);
      await page.keyboard.press('Enter');
      await button(page, 'Cancel').waitFor();
      expect(await barriers(page)).toEqual([]);
      await isLive(page);
      await event(page, `"sender":"ai","text":"${GREETING}"`).waitFor();
      await button(page, 'Camera on').click();
      await button(page, 'Camera off').waitFor();
      await button(page, 'Mute').click();
      await button(page, 'Unmute').waitFor();
      await button(page, 'Chat').press('Enter');
      await page.keyboard.type('Are you open?');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Transcript' }).getByText('You wrote').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('textbox', { name: `Message ${FIRST_AVATAR.name}` }).press('Escape');
      expect(await button(page, 'Chat').evaluate((each) => each.matches(':focus'))).toBe(true);

      await button(page, 'End call').press('Enter');
      await event(page, '"reason":"left"').waitFor();
      await button(page, `Call ${FIRST_AVATAR.name} again`).waitFor();
      expect(await barriers(page)).toEqual([]);
      // The focus was on a button that is gone.
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe('troupe-agent');
      await button(page, 'Bad').press('Enter');
      await page.getByText('Thank you').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type('It was short.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Your words were sent').waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(warnings).toEqual([]);
    },
  );

  test('goes on while it is out of sight, and after a reload', async () => {
    await allow(origin);
    const { page } = await open('floating');
    // Hidden controls take no keyboard focus.
    expect(await page.locator('section.frame').evaluate((frame: HTMLElement) => frame.inert)).toBe(
      true,
    );
    await button(page, `Talk to ${FIRST_AVATAR.name}`).click();
    await button(page, 'Start call').click();
    await isLive(page);
    expect(await barriers(page)).toEqual([]);

    await button(page, 'Close').click();
    await button(page, 'Back to the call').waitFor();
    await event(page, GREETING).waitFor();
    expect(await page.getByText('"reconnecting"').count()).toBe(0);

    await page.reload();
    await event(page, '"isReturn":true').waitFor();
    await button(page, 'Back to the call').click();
    await button(page, 'End call').click();
    await event(page, '"reason":"left"').waitFor();
  });

  test('is called in the console, beside its settings, until the dialog is closed', async () => {
    await allow();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${stage.address}/console`);
    await button(page, 'Open the console').click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const warnings: string[] = [];
    page.on('console', (line) => line.type() === 'error' && warnings.push(line.text()));
    await page.goto(`${stage.address}/console/agents/${stage.agentId}`);
    await button(page, 'Open a test call').click();
    const frame = page.frameLocator('iframe');
    await button(frame, 'Start call').click();
    await button(frame, 'End call').waitFor();
    expect(await barriers(page)).toEqual([]);
    const newest = async () => (await (await stage.api('/v1/sessions?limit=1')).json()).data[0];
    await expect.poll(async () => (await newest()).status.type).toBe('ongoing');

    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await expect.poll(async () => (await newest()).end_reason).toBe('ended_by_client');
    expect(warnings).toEqual([]);
  });

  test('is shown in frames of allowed pages only, and tells them what happens', async () => {
    await allow('https://somebody.example');
    const refused = await open('frame');
    const refusedFrame = refused.page.frameLocator('iframe');
    await refusedFrame.getByRole('heading', { name: 'not available here' }).waitFor();
    expect(await barriers(refused.page)).toEqual([]);
    const explanation = `${origin} may not show the agent ${stage.agentId}`;
    await expect.poll(() => refused.warnings.join('\n')).toContain(explanation);

    await allow(origin);
    const { page, warnings } = await open('frame');
    const frame = page.frameLocator('iframe');
    await button(frame, 'Start call').waitFor();
    await page.evaluate(() => {
      const { contentWindow } = document.querySelector('iframe')!;
      contentWindow?.postMessage({ target: 'troupe-agent', type: 'start' }, '*');
    });
    await isLive(page);
    await event(page, GREETING).waitFor();
    expect(await barriers(page)).toEqual([]);
    await button(frame, 'End call').click();
    await event(page, '"reason":"left"').waitFor();
    expect(warnings).toEqual([]);
  });
});
