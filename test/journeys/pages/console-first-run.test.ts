/* The console of an empty account: its first steps, in a real browser. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { click, heading } from '../../support/pages/console-stage.ts';
import { noteProblems, signInToConsole } from '../../support/pages/console.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../../support/cast.ts';

/** Otherwise the page waits until it reads again by itself. */
const EVENTS_EVERY_MS = 1_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

let service: BuiltApp;
let owner: BrowserContext;
const problems: string[] = [];
beforeEach(async () => {
  service = await buildApp({ slots: 2 });
  owner = await browser.newContext();
  noteProblems(owner, service.url, problems);
  await signInToConsole(owner, service);
});
afterEach(async () => {
  await owner.close();
  await service.close();
  expect(problems.splice(0)).toEqual([]);
});

async function openHome(): Promise<Page> {
  const page = await owner.newPage();
  await page.clock.setFixedTime(service.clock.now());
  await page.goto(`${service.url}/console`);
  await heading(page, 'Home').waitFor();
  return page;
}

const open = async (payload: object, headers = {}): Promise<string> => {
  const avatar_id = FIRST_AVATAR.alias;
  const request = { payload: { avatar_id, ...payload }, headers };
  return (await service.call('POST', '/v1/sessions', request)).json().id;
};

const step = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });

describe('the console of an empty account', () => {
  test('leads through three steps, ticks each, and then shows the overview', async () => {
    const page = await openHome();
    const connect = step(page, 'Connect your LiveKit agent');
    await connect.getByText('Waiting for your agent.').waitFor();
    expect(await page.getByRole('main').getByText('Failed in 24 hours').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);

    await click(page, 'Create a key');
    const key = (await connect.getByRole('region', { name: 'Your key' }).innerText()).trim();
    const lines = connect.getByRole('tabpanel');
    expect(await lines.innerText()).toContain(`api_key="${key}",`);
    await open({}, { 'x-api-key': key });
    service.clock.advance(EVENTS_EVERY_MS);
    await connect.getByText('Your agent is connected.').waitFor();

    await open({ metadata: { opened_by: 'try page' } });
    service.clock.advance(EVENTS_EVERY_MS);
    await step(page, 'Talk to an avatar').getByText('You have talked to an avatar.').waitFor();
    await heading(page, 'Home').waitFor();

    await click(page, 'New agent');
    await page.getByLabel('Name').fill('Guide');
    const faces = page.getByRole('radiogroup', { name: 'Avatar' });
    await faces.getByRole('radio', { name: FIRST_AVATAR.name }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await faces.getByRole('radio', { name: SECOND_AVATAR.name }).isChecked()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await click(page, 'Create');
    await heading(page, 'Guide').waitFor();
    const { data } = (await service.call('GET', '/v1/agents')).json();
    expect(data).toMatchObject([{ name: 'Guide', avatar_id: SECOND_AVATAR.id }]);

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Failed in 24 hours').waitFor();
    expect(await page.getByText('First steps').count()).toBe(0);
  });

  test('says why the session of an agent failed', async () => {
    const page = await openHome();
    const [worker] = service.workers;
    const id = await open({});
    while (!worker!.performing.has(id)) await worker!.next('assign');
    await worker!.ended(worker!.performing.get(id)!.placement, 'room_refused');

    const connect = step(page, 'Connect your LiveKit agent');
    await connect.getByText('The room rejected the avatar.').waitFor();
    await connect.getByRole('link', { name: 'Open the session' }).click();
    await page.waitForURL(`**/console/sessions/${id}`);
  });

  test('hides the steps for good', async () => {
    const page = await openHome();
    await click(page, 'Hide these steps');
    await page.getByText('Failed in 24 hours').waitFor();
    await page.reload();

    await page.getByText('Failed in 24 hours').waitFor();
    expect(await page.getByText('First steps').count()).toBe(0);
  });
});
