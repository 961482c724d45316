/* Sign-in by a real OpenID provider, on this machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, codeOf, PASSWORD } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { openOpenidProvider } from '../../support/openid-provider.ts';

let provider: Awaited<ReturnType<typeof openOpenidProvider>>;
let service: BuiltApp;
let owner: Browser;
beforeAll(async () => {
  provider = await openOpenidProvider();
  provider.serve('http://troupe.local');
  service = await buildApp({ slots: 0, env: provider.env });
  owner = await new Browser(service).openHere();
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const troupeHost = { headers: { host: 'troupe.local' } };

/** Signs in at the provider and consents. Returns the address to come back to. */
async function visitProvider(start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url: string = start;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 12; step += 1) {
    const reply: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const to = reply.headers.get('location');
    if (to === null) {
      const page: string = await reply.text();
      form = page.includes('name="login"')
        ? { prompt: 'login', login, password: 'any' }
        : { prompt: 'consent' };
      continue;
    }
    form = null;
    url = new URL(to, url).href;
    if (url.startsWith('http://troupe.local/')) return url;
  }
  throw new Error('the provider does not come to an end');
}

async function signIn(browser: Browser, login: string, link = '') {
  const path = `/console/api/openid/start${link && `?link=${link}`}`;
  const started = await browser.call('GET', path);
  const { pathname, search } = new URL(await visitProvider(started.headers.location!, login));
  const come = { headers: { 'sec-fetch-site': 'cross-site' } };
  return browser.call('GET', `${pathname}${search}`, undefined, come);
}

const visitor = () => new Browser(service, troupeHost);

describe('a person at the OpenID provider', () => {
  test('is offered it by name', async () => {
    expect((await visitor().call('GET', '/console/api/ways')).json()).toMatchObject({
      openid: { name: 'Acme' },
    });
  });

  test('is refused without an invitation', async () => {
    const reply = await signIn(visitor(), 'bob');

    expect(reply.headers.location).toMatch(/^\/console#error=bob%40example\.com%20is%20not%20inv/);
  });

  test('accepts an invitation, and is known from then on', async () => {
    const { link } = (await owner.call('POST', '/v1/invitations', { role: 'builder' })).json();
    const [firstBrowser, laterBrowser] = [visitor(), visitor()];

    const accepted = await signIn(firstBrowser, 'bob', codeOf(link));
    await signIn(laterBrowser, 'bob');

    expect(accepted.headers.location).toBe('/console');
    for (const browser of [firstBrowser, laterBrowser]) {
      const me = await browser.call('GET', '/console/api/me');
      expect(me.json()).toMatchObject({ name: 'bob@example.com', role: 'builder' });
    }
    // The person can now prove their identity.
    expect((await owner.call('GET', '/console/api/ways')).json()).toMatchObject({
      this_machine: false,
    });
  });

  test('is whoever has a verified address as name, and no one who only claims it', async () => {
    const { link } = (await owner.call('POST', '/v1/invitations', { role: 'viewer' })).json();
    await new Browser(service).join(link, 'ada@example.com');
    const [eve, ada] = [visitor(), visitor()];

    const claimed = await signIn(eve, 'eve');
    await signIn(ada, 'ada');

    expect(claimed.headers.location).toMatch(/^\/console#error=/);
    expect((await ada.call('GET', '/console/api/me')).json()).toMatchObject({ role: 'viewer' });
  });

  test('is an administrator only while one has the address as name', async () => {
    const payload = { name: 'carl@example.com', password: PASSWORD };
    const { id } = (await owner.call('POST', '/admin/admins', payload)).json();
    const [earlier, later] = [visitor(), visitor()];
    await signIn(earlier, 'carl');

    await owner.call('PATCH', `/admin/admins/${id}`, { name: 'dora@example.com' });
    const refused = await signIn(later, 'carl');

    const me = await earlier.call('GET', '/console/api/me');
    expect(me.json()).toMatchObject({ id, is_operator: true, account: null });
    expect(refused.headers.location).toMatch(/^\/console#error=carl%40example\.com%20is%20not/);
  });

  test('comes back only to the browser that left, and only once', async () => {
    const [startingBrowser, otherBrowser] = [visitor(), visitor()];
    const started = await startingBrowser.call('GET', '/console/api/openid/start');
    const { pathname, search } = new URL(await visitProvider(started.headers.location!, 'bob'));
    const come = (browser: Browser) => browser.call('GET', `${pathname}${search}`);

    expect((await come(otherBrowser)).headers.location).toMatch(/#error=This%20sign-in%20took/);
    expect((await come(startingBrowser)).headers.location).toBe('/console');
    expect((await come(startingBrowser)).headers.location).toMatch(/#error=/);
  });

  test('is told when the provider does not answer', async () => {
    const away = await buildApp({
      slots: 0,
      env: { ...provider.env, OPENID_ISSUER: 'http://127.0.0.1:9' },
    });
    const reply = await new Browser(away).call('GET', '/console/api/openid/start');
    await away.close();

    expect(reply.headers.location).toBe('/console#error=Acme%20does%20not%20answer.');
  });
});
