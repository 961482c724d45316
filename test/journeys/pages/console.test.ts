/* The console in a real browser, on a service with sessions, agents and a worker. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Scene } from '../../show/console-scene.ts';
import { Browser as HttpBrowser } from '../../support/api/browser.ts';
import { buildApp } from '../../support/api/build-app.ts';
import { openOpenidProvider } from '../../support/openid/openid-provider.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { click, ConsoleStage, heading } from '../../support/pages/console-stage.ts';
import { joinConsole, signInToConsole } from '../../support/pages/console.ts';
import {
  CHANGES,
  CHANGING,
  notRefused,
  REFUSED_TO_BUILDERS,
  REFUSED_TO_VIEWERS,
} from '../../support/pages/refused-actions.ts';
import { FIRST_AVATAR, SECOND_AVATAR, THIRD_AVATAR } from '../../support/cast.ts';

let stage: ConsoleStage;
let scene: Scene;
beforeAll(async () => {
  stage = await ConsoleStage.open();
  ({ scene } = stage);
});
afterEach(async () => {
  expect(await stage.rest()).toEqual([]);
});
afterAll(() => stage?.close());

const open = (path: string, context?: BrowserContext) => stage.visit(path, context);

/** Follows a link without loading the page again. */
async function visit(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
  await heading(page, title).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

const isWiderThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

const LOOKS = [
  {
    name: 'light on a desktop',
    look: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
    pages: [
      ['/start', 'Quick start'],
      ['/agents', 'Agents'],
      ['/playground', 'Playground'],
      ['/people', 'People'],
      ['/fleet', 'Fleet'],
      ['/webhooks', 'Webhooks'],
      ['/requests', 'Requests'],
      ['/apis', 'External APIs'],
    ],
  },
  {
    name: 'dark on a phone',
    look: { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    pages: [
      ['', 'Home'],
      ['/sessions', 'Sessions'],
      ['/avatars', 'Avatars'],
      ['/keys', 'API keys'],
      ['/health', 'Health'],
      ['/accounts', 'Accounts'],
      ['/audit', 'Audit log'],
      ['/knowledge', 'Knowledge'],
      ['/apis', 'External APIs'],
      ['/people', 'People'],
      ['/start', 'Quick start'],
    ],
  },
] as const;

/** True if a table hides some of its columns until it is scrolled. */
const hasWideTable = (page: Page): Promise<boolean> =>
  page
    .locator('.table-frame')
    .evaluateAll((tables) => tables.some((table) => table.scrollWidth > table.clientWidth));

/** Signs a new person in, by an invitation of the owner. */
async function join(role: 'viewer' | 'builder', name: string): Promise<[BrowserContext, Page]> {
  const context = await stage.browser.newContext();
  stage.note(context);
  const people = await open('/people');
  const now = scene.service.clock.now();
  return [context, await joinConsole({ people, context, now }, role, name)];
}

describe('the console', () => {
  test('shows live sessions at home, and opens one by keyboard', async () => {
    const page = await open('');
    const tile = page.getByRole('link', { name: new RegExp(`^${THIRD_AVATAR.name}`) });
    await tile.focus();
    await page.keyboard.press('Enter');

    await page.waitForURL(`**/console/sessions/${scene.sessions.live}`);
    await heading(page, THIRD_AVATAR.name).waitFor();
    await page.getByRole('button', { name: 'End session' }).waitFor();
  });

  test('shows what live sessions show, and calls only when the owner permits it', async () => {
    const page = await open('');
    const stillOf = (id: string) => page.locator(`a[href$="/sessions/${id}"] .tile-still`);
    await stillOf(scene.sessions.live).waitFor();
    const loaded = stillOf(scene.sessions.live).evaluate((picture: HTMLImageElement) =>
      picture.decode().then(() => picture.naturalWidth),
    );
    expect(await loaded).toBe(160);
    expect(await stillOf(scene.callSession).count()).toBe(0);

    const permits = page.getByRole('checkbox', { name: /^Also show pictures of calls/ });
    await permits.check();
    await stillOf(scene.callSession).waitFor();
    await permits.uncheck();
    await stillOf(scene.callSession).waitFor({ state: 'detached' });
  });

  test('shows the mouth shapes and expressions of an avatar, by keyboard', async () => {
    const page = await open('/avatars');
    const sheetButton = page.getByRole('button', {
      name: `Mouth shapes and expressions of ${FIRST_AVATAR.name}`,
    });
    await sheetButton.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: FIRST_AVATAR.name });
    await dialog.getByRole('listitem').filter({ hasText: 'Rounded: oo' }).waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Amused' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await sheetButton.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('says what to do when no worker draws the mouth shapes of an avatar', async () => {
    const page = await open('/avatars');
    await page.route('**/sheet', (route) =>
      route.fulfill({ status: 503, json: { detail: 'No worker.', advice: 'Connect one.' } }),
    );
    await click(page, `Mouth shapes and expressions of ${SECOND_AVATAR.name}`);
    const dialog = page.getByRole('dialog', { name: SECOND_AVATAR.name });
    await dialog.getByRole('alert').getByText('Connect one.').waitFor();
    await page.unroute('**/sheet');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('listitem').filter({ hasText: 'At rest' }).waitFor();
  });

  test('says why a session failed, and what to do', async () => {
    const page = await open(`/sessions/${scene.sessions.failed}`);

    await page.getByText('The room rejected the avatar.').waitFor();
    await page.getByText('connection refused by media.example.com:443').first().waitFor();
    await page.getByText(/Often the token is wrong/).waitFor();
  });

  test('filters sessions, and keeps the filter in the address', async () => {
    const page = await open('/sessions');
    await page.getByLabel('End reason').selectOption('room_refused');
    await page.getByText('1 session', { exact: true }).waitFor();
    await page.reload();

    await page.getByText('1 session', { exact: true }).waitFor();
    await page.getByRole('link', { name: `Session ${scene.sessions.failed}` }).waitFor();
  });

  test.each(LOOKS)('has no barriers and fits the screen: $name', async ({ look, pages }) => {
    const storageState = await stage.owner.storageState();
    const context = await stage.browser.newContext({ ...look, storageState });
    stage.note(context);
    const page = await open('', context);
    const details = [
      [`/sessions/${scene.sessions.live}`, THIRD_AVATAR.name],
      [`/agents/${scene.agentId}`, `${FIRST_AVATAR.name} at the front desk`],
    ] as const;
    for (const [path, title] of [...pages, ...details]) {
      await visit(page, path, title);
      expect(await barriers(page), title).toEqual([]);
      expect(await isWiderThanScreen(page), title).toBe(false);
      expect(await hasWideTable(page), title).toBe(false);
    }
    await context.close();
  });

  test('ends a session after asking', async () => {
    const page = await open(`/sessions/${scene.sessions.live}`);
    await click(page, 'End session');
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();

    await page.getByText('The session was ended through the API.').waitFor();
  });

  test('warns before it drains the only worker', async () => {
    const page = await open('/fleet');
    await page
      .getByRole('button', { name: /^Drain/ })
      .first()
      .click();

    await page.getByText('This leaves no free slot: new sessions wait or are refused.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('cordons the only worker after a warning, and resumes it', async () => {
    const page = await open('/fleet');
    const worker = page.locator('.worker').filter({ hasText: 'Avatar worker' });
    await worker.getByRole('button', { name: /^Cordon/ }).click();
    const question = page.getByRole('dialog');
    await question.getByText('This leaves no free slot').waitFor();
    await question.getByRole('button', { name: 'Cordon' }).click();

    await worker.getByText('Cordoned').waitFor();
    await worker.getByRole('button', { name: /^Resume/ }).click();
    await worker.getByText('Ready').waitFor();
    await worker.getByRole('button', { name: /^Cordon/ }).waitFor();
  });

  test('shows the browsers of a person, and signs out the others', async () => {
    const otherContext = await stage.browser.newContext();
    await signInToConsole(otherContext, scene.service);
    const page = await open('/');
    await click(page, /^owner/);
    const settings = page.getByRole('dialog');
    await settings.getByText('This browser').waitFor();
    await settings
      .getByRole('button', { name: /^Sign out of Chrome/ })
      .first()
      .waitFor();
    await settings.getByRole('button', { name: 'Sign out all others' }).click();

    await settings.getByText('You are not signed in anywhere else.').waitFor();
    const otherPage = await open('/', otherContext);
    await otherPage.getByRole('button', { name: 'Open the console' }).waitFor();
    await otherContext.close();
  });

  test('changes the plan of an account', async () => {
    const page = await open('/accounts');
    const plan = page.getByLabel('Plan of first');
    expect(await plan.inputValue()).toBe('unlimited');
    await plan.selectOption('scale');

    await page.getByText('The plan of first is changed.').waitFor();
    await page
      .getByRole('row', { name: /^first/ })
      .getByText(/of 10,000$/)
      .waitFor();
    await plan.selectOption('unlimited');
  });

  test('makes an account, and invites its owner', async () => {
    const page = await open('/accounts');
    await click(page, 'New account');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Museum');
    await dialog.getByLabel('Plan').selectOption('creator');
    // The first attempt makes the account; the second one must not make another.
    await page.route('**/admin/invitations', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('The service does not answer.').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const invitation = page.getByRole('dialog', { name: 'Invitation for the owner' });
    const link = (await invitation.getByRole('region').innerText()).trim();
    await invitation.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /^Museum/ });
    expect(await row.getByLabel('Plan of Museum').inputValue()).toBe('creator');
    expect(await row.count()).toBe(1);

    const context = await stage.browser.newContext();
    stage.note(context);
    const guest = await context.newPage();
    await guest.goto(link);
    await guest.getByText('You are invited as Owner.').waitFor();
    await context.close();
  });

  test('gives a sign-in domain to an account, and takes it away', async () => {
    const page = await open('/accounts');
    await click(page, 'Sign-in domains of first');
    const dialog = page.getByRole('dialog', { name: 'Sign-in domains of first' });
    await dialog.getByLabel('Domain', { exact: true }).fill('example.com');
    await dialog.getByRole('button', { name: 'Add' }).click();

    await dialog.getByRole('button', { name: 'Remove example.com' }).click();
    await page
      .getByRole('dialog', { name: 'Remove example.com?' })
      .getByText('Remove', { exact: true })
      .click();
    await dialog.getByText('No domains. People need an invitation.').waitFor();
  });

  test('lets an invited person in by an OpenID provider, from then on without an invitation', async () => {
    const provider = await openOpenidProvider();
    const service = await buildApp({ slots: 0, env: provider.env });
    provider.serve(service.url);
    const owner = await new HttpBrowser(service).openHere();
    const { link } = (await owner.call('POST', '/v1/invitations', { role: 'builder' })).json();
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    const signIn = async () => {
      await page.getByPlaceholder('Enter any login').fill('bob');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
    };

    await page.goto(`${service.url}/console${new URL(link).hash}`);
    await page.getByRole('button', { name: /Acme/ }).click();
    await signIn();
    await heading(page, 'Home').waitFor();
    await context.clearCookies();
    await page.goto(`${service.url}/console`);
    await page.getByRole('button', { name: /Acme/ }).click();
    await signIn();
    await heading(page, 'Home').waitFor();

    await context.close();
    await service.close();
    await provider.close();
  });

  test('invites a viewer, who sees everything and changes nothing', async () => {
    const [viewer, page] = await join('viewer', 'Vera');
    await page.getByText('An owner can change that.').waitFor();
    for (const [path, title] of CHANGES) {
      await visit(page, path, title);
      const change = page.getByRole('main').getByRole('button', { name: CHANGING });
      expect(await change.count(), title).toBe(0);
    }
    for (const [path, title] of [
      [`/agents/${scene.agentId}`, `${FIRST_AVATAR.name} at the front desk`],
      [`/webhooks/${scene.webhookId}`, '127.0.0.1:9'],
      [`/sessions/${scene.sessions.live}`, THIRD_AVATAR.name],
      ['/start', 'Quick start'],
    ] as const) {
      await visit(page, path, title);
      const change = page.getByRole('main').getByRole('button', { name: CHANGING });
      expect(await change.allInnerTexts(), title).toEqual([]);
    }
    await visit(page, `/agents/${scene.agentId}`, `${FIRST_AVATAR.name} at the front desk`);
    await page.getByText('Your role is read-only here.').first().waitFor();
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    for (const path of ['/fleet', '/health', '/accounts', '/audit']) {
      await visit(page, path, 'Your role has no access to this page');
    }
    const refused = [...REFUSED_TO_VIEWERS, ...REFUSED_TO_BUILDERS];
    expect(await notRefused(page, refused)).toEqual([]);

    await click(page, /Vera/);
    await click(page, 'Sign out');
    await page.getByLabel('Name').fill('Vera');
    await page.getByLabel('Password').fill('another password');
    await click(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    scene.service.clock.advance(60_000);
    await page.getByLabel('Password').fill('a long password of Vera');
    await click(page, 'Sign in');
    await page.getByRole('link', { name: 'Home' }).waitFor();
    await viewer.close();
  });

  test('lets a builder make what the role allows, and no more', async () => {
    const [builder, page] = await join('builder', 'Bob');

    await visit(page, '/people', 'People');
    const change = page.getByRole('main').getByRole('button', { name: CHANGING });
    expect(await change.allInnerTexts()).toEqual([]);
    for (const path of ['/fleet', '/health', '/accounts']) {
      await visit(page, path, 'Your role has no access to this page');
    }
    await visit(page, '/audit', 'Audit log');
    expect(await notRefused(page, REFUSED_TO_BUILDERS)).toEqual([]);

    await visit(page, '/keys', 'API keys');
    await click(page, 'New key');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('support bot');
    await dialog.getByLabel('Everything that your role allows').uncheck();
    expect(await dialog.getByLabel('usage').locator('option').allInnerTexts()).toEqual([
      'No access',
      'Read',
    ]);
    await dialog.getByLabel('Everything that your role allows').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Copy it now.').waitFor();
    await visit(page, '/start', 'Quick start');
    await click(page, 'Create a key');
    await page.getByText('Copy it now.').waitFor();
    await builder.close();
  });
});
