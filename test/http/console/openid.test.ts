/* Sign-in by a real OpenID provider, on this machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, codeOf, PASSWORD, personOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import {
  comeBack,
  signInAtProvider,
  startOpenid,
  TROUPE_HOME,
  visitProvider,
} from '../../support/openid/openid-visit.ts';
import { openOpenidProvider } from '../../support/openid/openid-provider.ts';

let provider: Awaited<ReturnType<typeof openOpenidProvider>>;
let service: BuiltApp;
let owner: Browser;
beforeAll(async () => {
  provider = await openOpenidProvider();
  provider.serve(TROUPE_HOME);
  service = await buildApp({ slots: 0, env: provider.env });
  owner = await new Browser(service).openHere();
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const visitor = () => new Browser(service, { headers: { host: new URL(TROUPE_HOME).host } });
const me = async (browser: Browser) => (await browser.call('GET', '/console/api/me')).json();
const invite = async (grants: object) =>
  codeOf((await owner.call('POST', '/v1/invitations', grants)).json().link);

describe('a person at the OpenID provider', () => {
  test('is offered it by name', async () => {
    expect((await visitor().call('GET', '/console/api/ways')).json()).toMatchObject({
      openid: { name: 'Acme' },
    });
  });

  test('is refused without an invitation', async () => {
    const reply = await signInAtProvider(visitor(), 'bob');

    expect(reply.headers.location).toMatch(/^\/console#error=bob%40example\.com%20is%20not%20inv/);
  });

  test('accepts an invitation, and is known from then on', async () => {
    const link = await invite({ role: 'builder' });
    const [firstBrowser, laterBrowser] = [visitor(), visitor()];

    const accepted = await signInAtProvider(firstBrowser, 'bob', link);
    await signInAtProvider(laterBrowser, 'bob');

    expect(accepted.headers.location).toBe('/console');
    for (const browser of [firstBrowser, laterBrowser]) {
      expect(await me(browser)).toMatchObject({ name: 'bob@example.com', role: 'builder' });
    }
    // The person can now prove their identity.
    expect((await owner.call('GET', '/console/api/ways')).json()).toMatchObject({
      this_machine: false,
    });
  });

  test('gets another name if someone in the account has theirs', async () => {
    await new Browser(service).join(
      (await owner.call('POST', '/v1/invitations', { role: 'viewer' })).json().link,
      'dora@example.com',
    );
    const browser = visitor();

    await signInAtProvider(browser, 'dora', await invite({ role: 'viewer' }));

    expect(await me(browser)).toMatchObject({ name: 'dora@example.com 2', has_password: false });
  });

  test('cannot join a second account without knowing it, and may do so by a password', async () => {
    const browser = visitor();
    await signInAtProvider(browser, 'emil', await invite({ role: 'viewer' }));
    const link = await invite({ role: 'owner' });

    const refused = await signInAtProvider(visitor(), 'emil', link);

    expect(decodeURIComponent(refused.headers.location!)).toMatch(
      /You sign in as emil@example\.com already, in the account first\./,
    );
    expect(await me(browser)).toMatchObject({ role: 'viewer' });
    const body = { code: link, name: 'emil', password: PASSWORD };
    expect((await visitor().call('POST', '/console/api/links/use', body)).statusCode).toBe(200);
  });

  test('changes to it by a sign-in link, which ends the password and other sign-ins', async () => {
    const person = await personOf(service, owner, 'builder');
    const { id } = await me(person);
    const { link } = (await owner.call('POST', `/v1/people/${id}/sign-in-links`)).json();
    const browser = visitor();

    await signInAtProvider(browser, 'fay', codeOf(link));

    expect(await me(browser)).toMatchObject({ id, name: person.name, has_password: false });
    expect((await person.call('GET', '/console/api/me')).statusCode).toBe(401);
    expect((await person.signIn(person.name)).statusCode).toBe(401);
  });

  test('comes back only to the browser that left, and only once', async () => {
    const [startingBrowser, otherBrowser] = [visitor(), visitor()];
    const address = await visitProvider(await startOpenid(startingBrowser), 'bob');
    const come = async (browser: Browser) => (await comeBack(browser, address)).headers.location;

    expect(await come(otherBrowser)).toMatch(/#error=This%20sign-in%20took/);
    expect(await come(startingBrowser)).toBe('/console');
    expect(await come(startingBrowser)).toMatch(/#error=/);
  });

  test('is told when the provider does not answer', async () => {
    const away = await buildApp({
      slots: 0,
      env: { ...provider.env, OPENID_ISSUER: 'http://127.0.0.1:9' },
    });
    const reply = await new Browser(away).call('POST', '/console/api/openid/start', {});
    await away.close();

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('10');
    expect(reply.json()).toMatchObject({
      code: 'provider_away',
      detail: 'Acme does not answer.',
    });
  });
});

describe('a domain of an account', () => {
  const path = '/admin/accounts/00000000-0000-4000-8000-000000000001/domains';
  const take = (id: string) => owner.call('DELETE', `${path}/${id}`);

  test('lets people with a verified address in it join, and no one who only claims one', async () => {
    const givenDomain = await owner.call('POST', path, { domain: 'Example.COM', role: 'builder' });
    const [gina, eve] = [visitor(), visitor()];

    await signInAtProvider(gina, 'gina');
    const claimed = await signInAtProvider(eve, 'eve');
    const { data } = (await owner.call('GET', path)).json();
    const removal = await take(givenDomain.json().id);
    const late = await signInAtProvider(visitor(), 'hal');

    expect(givenDomain.json()).toMatchObject({ domain: 'example.com', role: 'builder' });
    expect(data).toEqual([givenDomain.json()]);
    expect(await me(gina)).toMatchObject({ name: 'gina@example.com', role: 'builder' });
    expect(claimed.headers.location).toMatch(/#error=/);
    expect(removal.statusCode).toBe(204);
    expect(late.headers.location).toMatch(/#error=hal%40example\.com%20is%20not%20invited/);
  });

  test('belongs to one account, and is audited', async () => {
    const account = (await owner.call('POST', '/admin/accounts', { name: 'other' })).json();
    const givenDomain = await owner.call('POST', path, { domain: 'one.example' });
    const otherDomains = `/admin/accounts/${account.id}/domains`;

    const repetition = await owner.call('POST', otherDomains, { domain: 'one.example' });
    const wrongAccount = await owner.call('DELETE', `${otherDomains}/${givenDomain.json().id}`);
    await take(givenDomain.json().id);
    const moved = await owner.call('POST', otherDomains, { domain: 'one.example' });
    const log = (
      await owner.call('GET', `/v1/audit-log?target_id=${givenDomain.json().id}`)
    ).json();

    expect([repetition.statusCode, wrongAccount.statusCode, moved.statusCode]).toEqual([
      409, 404, 201,
    ]);
    expect(log.data.map(({ action }: { action: string }) => action)).toEqual([
      'account_domain.deleted',
      'account_domain.created',
    ]);
  });

  test.each(['example', 'a@example.com', 'https://example.com', '*.example.com', 'a b.com'])(
    'is not %o',
    async (domain) => {
      expect((await owner.call('POST', path, { domain })).statusCode).toBe(422);
    },
  );

  test('is given by operators alone', async () => {
    const person = await personOf(service, owner, 'owner');

    const reply = await person.call('POST', path, { domain: 'mine.example' });

    expect(reply.statusCode).toBe(403);
  });
});
