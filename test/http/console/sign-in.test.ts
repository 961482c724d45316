import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IDLE_MS, ROTATE_MS } from '../../../src/accounts/people/sign-ins.ts';
import { TROUPE_ADMIN_PASSWORD, adminCall } from '../../support/api/admin.ts';
import { Browser, PASSWORD, personOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let owner: Browser;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());
// Ends the minute in which tries are counted.
afterEach(() => service.clock.advance(60_000));

const me = (browser: Browser) => browser.call('GET', '/console/api/me');
const status = async (reply: Promise<{ statusCode: number }>) => (await reply).statusCode;
const openHere = (options: object) =>
  new Browser(service, options).call('POST', '/console/api/sign-in/this-machine', {});

describe('a visitor on this machine, while nobody has a password', () => {
  test.each([
    { from: 'another machine', more: { remoteAddress: '203.0.113.7' } },
    {
      from: 'a name that points here (DNS rebinding)',
      more: { headers: { host: 'evil.example' } },
    },
    { from: 'a proxy', more: { headers: { 'x-forwarded-for': '203.0.113.7' } } },
    { from: 'a tunnel', more: { headers: { 'cf-connecting-ip': '203.0.113.7' } } },
    { from: 'another site', more: { headers: { 'sec-fetch-site': 'cross-site' } } },
    { from: 'another port', more: { headers: { origin: 'http://localhost:3000' } } },
    { from: 'a form', more: { headers: { 'x-troupe-console': '' } } },
  ])('is not let in from $from', async ({ more: options }) => {
    const reply = await openHere(options);

    expect(reply.statusCode, reply.body).toBe(403);
    expect(reply.headers).not.toHaveProperty('set-cookie');
  });

  test('is not let in from nginx, which hides the visitor unless it is told not to', async () => {
    const { hostname, port, host } = new URL(service.url);
    const head = ['x-troupe-console: 1', 'content-type: application/json', 'content-length: 2'];
    const request = (version: string) =>
      new Promise<string>((resolve, reject) => {
        const line = `POST /console/api/sign-in/this-machine HTTP/${version}`;
        let text = '';
        connect(Number(port), hostname)
          .on('error', reject)
          .on('data', (data) => (text += data))
          .on('end', () => resolve(text.split('\r\n')[0]!))
          .write([line, `host: ${host}`, 'connection: close', ...head, '', '{}'].join('\r\n'));
      });

    expect(await request('1.0')).toContain(' 403 ');
    expect(await request('1.1')).toContain(' 200 ');
  });

  test('opens the console as owner and operator', async () => {
    owner = new Browser(service);
    const signInMethods = (await owner.call('GET', '/console/api/ways')).json();

    const reply = await owner.call('POST', '/console/api/sign-in/this-machine', {});

    expect(signInMethods).toMatchObject({ this_machine: true, password: false, openid: null });
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toMatchObject({
      name: 'owner',
      has_password: false,
      role: 'owner',
      is_operator: true,
      scopes: null,
      account: { name: 'first', plan: 'unlimited' },
    });
    expect(reply.headers['set-cookie']).toMatch(
      /^troupe_console=\w{40}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(await status(owner.call('GET', '/v1/sessions'))).toBe(200);
    expect(await status(owner.call('GET', '/v1/fleet/workers'))).toBe(200);
    expect(await status(owner.call('GET', '/admin/accounts'))).toBe(200);
  });

  test('is let in no more once there is a password', async () => {
    const set = await owner.call('PATCH', '/console/api/me', { password: PASSWORD });

    expect(set.json()).toMatchObject({ has_password: true });
    expect(await status(openHere({}))).toBe(403);
    expect((await owner.call('GET', '/console/api/ways')).json()).toMatchObject({
      this_machine: false,
      password: true,
    });
    expect(await status(me(owner))).toBe(200);
  });
});

describe('the cookie', () => {
  test('is refused to requests of other sites, and without the header of the console', async () => {
    const create = (headers: Record<string, string>) =>
      owner.call('POST', '/v1/invitations', { role: 'viewer' }, { headers });

    const refused = await Promise.all([
      create({ 'x-troupe-console': '' }),
      create({ 'sec-fetch-site': 'same-site' }),
      create({ 'sec-fetch-site': 'cross-site' }),
      create({ origin: 'https://evil.example' }),
      create({ origin: 'null' }),
      owner.call('GET', '/v1/sessions', undefined, { headers: { 'sec-fetch-site': 'cross-site' } }),
    ]);
    const ownReply = await create({
      origin: 'http://localhost:80',
      'sec-fetch-site': 'same-origin',
    });

    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(ownReply.statusCode, ownReply.body).toBe(201);
  });

  test('cannot be read by pages of other origins', async () => {
    const headers = { origin: 'https://evil.example' };
    const reply = await owner.call('GET', '/console/api/ways', undefined, { headers });
    const v1 = await owner.call('GET', '/v1/sessions', undefined, { headers });

    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    expect(v1.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(v1.headers['access-control-allow-headers'] ?? '').not.toContain('x-troupe-console');
  });

  test('is Secure and bound to this host where the service is reached over TLS', async () => {
    const secure = await buildApp({
      slots: 0,
      env: { PUBLIC_URL: 'https://troupe.example', TROUPE_ADMIN_PASSWORD },
    });
    const browser = new Browser(secure);
    const name = 'ada';
    await adminCall(secure)('POST', '/admins', { payload: { name, password: PASSWORD } });

    const signedIn = await browser.signIn(name);
    const reply = await new Browser(secure).call('POST', '/console/api/sign-in/this-machine', {});

    expect(signedIn.headers['set-cookie']).toMatch(/^__Host-troupe_console=\w+; .*; Secure$/);
    // Administrators are people without an account.
    expect(signedIn.json()).toMatchObject({ is_operator: true, role: null, account: null });
    expect(await status(browser.call('GET', '/admin/accounts'))).toBe(200);
    expect(await status(browser.call('GET', '/v1/fleet/workers'))).toBe(200);
    expect(await status(browser.call('GET', '/v1/sessions'))).toBe(403);
    expect(reply.statusCode).toBe(403);
    await secure.close();
  });

  test('is replaced every hour, and the one before ends a minute later', async () => {
    const browser = new Browser(service);
    await browser.signIn('owner');
    const firstCookie = browser.cookie!;
    service.clock.leap(ROTATE_MS);
    await me(browser);
    const secondCookie = browser.cookie!;
    const older = new Browser(service);
    older.cookie = firstCookie;

    expect(secondCookie).not.toBe(firstCookie);
    expect(await status(me(older))).toBe(200);
    expect(older.cookie).toBe(firstCookie);
    service.clock.advance(60_000);
    expect(await status(me(older))).toBe(401);
    expect(await status(me(browser))).toBe(200);
  });

  test('ends by signing out, and from another browser', async () => {
    const [ownBrowser, otherBrowser] = [new Browser(service), new Browser(service)];
    await ownBrowser.signIn('owner');
    await otherBrowser.signIn('owner');
    const stolen = new Browser(service);
    stolen.cookie = otherBrowser.cookie;

    const { data } = (await ownBrowser.call('GET', '/console/api/browsers')).json();
    const otherSignIn = data.find((each: { is_current: boolean }) => !each.is_current);
    const ended = await ownBrowser.call('DELETE', `/console/api/browsers/${otherSignIn.id}`);
    expect(ended.statusCode).toBe(204);
    expect(await status(me(stolen))).toBe(401);

    stolen.cookie = ownBrowser.cookie;
    expect(await status(ownBrowser.call('POST', '/console/api/sign-out', {}))).toBe(204);
    expect(ownBrowser.cookie).toBeNull();
    expect(await status(me(stolen))).toBe(401);
  });
});

describe('the signed-in browsers of a person', () => {
  test('are listed without their cookies, and signed out one by one or all others at once', async () => {
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
    const ownBrowser = new Browser(service, { headers: { 'user-agent': chrome } });
    const otherBrowsers = [
      new Browser(service),
      new Browser(service, { remoteAddress: '192.0.2.7' }),
    ];
    for (const browser of [ownBrowser, ...otherBrowsers]) await browser.signIn('owner');
    const stranger = await personOf(service, ownBrowser, 'viewer');
    const list = async () => (await ownBrowser.call('GET', '/console/api/browsers')).json().data;
    const listBefore = await list();

    const signOutReply = await ownBrowser.call('DELETE', '/console/api/browsers');
    const repeatReply = await ownBrowser.call('DELETE', '/console/api/browsers');

    const current = listBefore.filter((each: { is_current: boolean }) => each.is_current);
    expect(current).toEqual([
      {
        id: expect.any(String),
        is_current: true,
        address: '127.0.0.1',
        user_agent: chrome,
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
      },
    ]);
    expect(listBefore.map((each: { address: string }) => each.address)).toContain('192.0.2.7');
    expect([signOutReply.statusCode, repeatReply.statusCode]).toEqual([204, 204]);
    expect(await list()).toEqual(current);
    for (const browser of otherBrowsers) expect(await status(me(browser))).toBe(401);
    expect(await status(me(stranger))).toBe(200);
    const log = await ownBrowser.call('GET', '/v1/audit-log?action=person.signed_out');
    expect(log.json().data[0]).toMatchObject({ actor: { type: 'person', name: 'owner' } });
  });

  test('are no longer listed once they have expired', async () => {
    const [oldBrowser, ownBrowser] = [new Browser(service), new Browser(service)];
    for (const browser of [oldBrowser, ownBrowser]) await browser.signIn('owner');
    service.clock.leap(IDLE_MS / 2);
    await me(ownBrowser);
    service.clock.leap(IDLE_MS / 2);

    const { data } = (await ownBrowser.call('GET', '/console/api/browsers')).json();

    expect(data).toMatchObject([{ is_current: true }]);
  });
});

describe('a password', () => {
  test('is changed only with the current one, and ends all other sign-ins', async () => {
    const firstBrowser = await new Browser(service).signIn('owner');
    const ownBrowser = new Browser(service);
    await ownBrowser.signIn('owner');
    const invited = await ownBrowser.call('POST', '/v1/invitations', { role: 'viewer' });
    const [changingBrowser, otherBrowser] = [new Browser(service), new Browser(service)];
    await changingBrowser.join(invited.json().link, 'changes');
    await otherBrowser.signIn('changes');
    const change = (current_password?: string) =>
      changingBrowser.call('PATCH', '/console/api/me', {
        password: `${PASSWORD} 2`,
        current_password,
      });

    expect(firstBrowser.statusCode).toBe(200);
    expect(await status(change())).toBe(401);
    expect(await status(change('a wrong password'))).toBe(401);
    expect(await status(change(PASSWORD))).toBe(200);
    expect(await status(me(changingBrowser))).toBe(200);
    expect(await status(me(otherBrowser))).toBe(401);
    expect(await status(otherBrowser.signIn('changes'))).toBe(401);
    expect(await status(otherBrowser.signIn('changes', `${PASSWORD} 2`))).toBe(200);
  });

  test('has a name that nobody else in the account has, changed only with the password', async () => {
    const browser = new Browser(service);
    await browser.signIn('owner');
    const viewer = await personOf(service, browser, 'viewer');
    const rename = (name: string, current_password?: string) =>
      status(viewer.call('PATCH', '/console/api/me', { name, current_password }));

    expect(await rename('owner', PASSWORD)).toBe(409);
    expect(await rename('Zoë')).toBe(401);
    expect(await rename('Zoë', PASSWORD)).toBe(200);
    expect(await status(me(viewer))).toBe(200);
    expect(await status(new Browser(service).signIn('Zoë'))).toBe(200);
  });
});
