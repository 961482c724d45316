import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, codeOf, PASSWORD, personOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let browser: Browser;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
  browser = await new Browser(service).openHere();
});
afterAll(() => service.close());

const me = (person: Browser) => person.call('GET', '/console/api/me');
const status = async (reply: Promise<{ statusCode: number }>) => (await reply).statusCode;

test('invites one person, once, and says to what', async () => {
  const invited = await browser.call('POST', '/v1/invitations', { role: 'builder', name: 'Bea' });
  const { link, id } = invited.json();
  const code = codeOf(link);
  const stranger = new Browser(service);
  const use = (details: object) =>
    stranger.call('POST', '/console/api/links/use', { code, ...details });

  const look = await stranger.call('POST', '/console/api/links/look', { code });
  expect(look.json()).toMatchObject({ kind: 'invitation', role: 'builder', name: 'Bea' });
  expect(invited.headers['cache-control']).toBe('no-store');
  expect(await status(use({}))).toBe(422);
  expect(await status(use({ password: 'too short' }))).toBe(422);
  const joined = await use({ password: PASSWORD });
  expect(joined.json()).toMatchObject({ name: 'Bea', role: 'builder', is_operator: false });

  expect(await status(use({ password: PASSWORD }))).toBe(404);
  expect((await browser.call('GET', '/v1/invitations')).json().data).not.toContainEqual(
    expect.objectContaining({ id }),
  );
});

test('ends with its time, by being withdrawn, and for all but one of two at once', async () => {
  const invite = async () =>
    (await browser.call('POST', '/v1/invitations', { role: 'viewer', expires_in_hours: 1 })).json();
  const accept = (link: string, name: string) =>
    new Browser(service).call('POST', '/console/api/links/use', {
      code: codeOf(link),
      name,
      password: PASSWORD,
    });

  const withdrawn = await invite();
  expect(await status(browser.call('DELETE', `/v1/invitations/${withdrawn.id}`))).toBe(204);
  expect(await status(accept(withdrawn.link, 'late'))).toBe(404);

  const raced = await invite();
  const replies = await Promise.all([accept(raced.link, 'one'), accept(raced.link, 'two')]);
  const statuses = replies.map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200, 404]));

  const old = await invite();
  service.clock.leap(3_600_000);
  expect(await status(accept(old.link, 'late'))).toBe(404);
});

test('signs in someone who forgot their password, whoever asked too often', async () => {
  const viewer = await personOf(service, browser, 'viewer');
  const { id } = (await me(viewer)).json();

  const creationReply = await browser.call('POST', `/v1/people/${id}/sign-in-links`);
  const repeatedBrowser = new Browser(service);
  const use = () =>
    repeatedBrowser.call('POST', '/console/api/links/use', {
      code: codeOf(creationReply.json().link),
    });

  expect((await use()).json()).toMatchObject({ id, role: 'viewer' });
  expect(await status(use())).toBe(404);
});

test('sets a new password, which ends the other sign-ins', async () => {
  const viewer = await personOf(service, browser, 'viewer');
  const { id } = (await me(viewer)).json();
  const link = async () =>
    codeOf((await browser.call('POST', `/v1/people/${id}/sign-in-links`)).json().link);
  const repeatedBrowser = new Browser(service);
  const use = (code: string, password: string) =>
    repeatedBrowser.call('POST', '/console/api/links/use', { code, password });
  const code = await link();

  expect(await status(use(code, 'too short'))).toBe(422);
  expect((await use(code, `${PASSWORD} 2`)).json()).toMatchObject({ id, has_password: true });

  expect(await status(me(repeatedBrowser))).toBe(200);
  expect(await status(me(viewer))).toBe(401);
  expect(await status(viewer.signIn(viewer.name))).toBe(401);
  expect(await status(viewer.signIn(viewer.name, `${PASSWORD} 2`))).toBe(200);
  const log = (await browser.call('GET', `/v1/audit-log?target_id=${id}`)).json();
  expect(log.data).toContainEqual(
    expect.objectContaining({ action: 'person.updated', actor: expect.objectContaining({ id }) }),
  );
});
