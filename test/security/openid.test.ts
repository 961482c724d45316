/*
 * OpenID: an identity is as good as its provider's signature, and is bound by a person who has both
 * the identity and an invitation. Names, cookies and tokens of other people open nothing.
 */
import { base64url, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FIRST_ACCOUNT } from '../support/api/admin.ts';
import { Browser, codeOf, PASSWORD } from '../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import { comeBack, startOpenid } from '../support/openid/openid-visit.ts';
import {
  CLIENT_SECRET,
  KEY_ID,
  openTokenProvider,
  type IdToken,
  type MakeToken,
} from '../support/openid/token-provider.ts';

type Provider = Awaited<ReturnType<typeof openTokenProvider>>;

let provider: Provider;
let service: BuiltApp;
let owner: Browser;
beforeEach(async () => {
  provider = await openTokenProvider();
  service = await buildApp({ slots: 0, env: provider.env });
  owner = await new Browser(service).openHere();
});
afterEach(async () => {
  await service.close();
  await provider.close();
});

const visitor = () => new Browser(service);
const me = (browser: Browser) => browser.call('GET', '/console/api/me');

async function invitationTo(accountId: string, role = 'owner'): Promise<string> {
  const body = { account_id: accountId, role };
  return (await owner.call('POST', '/admin/invitations', body)).json().link;
}

async function otherAccount(): Promise<string> {
  return (await owner.call('POST', '/admin/accounts', { name: 'a tenant' })).json().id;
}

type Visit = { browser?: Browser; link?: string; claims?: object; make?: MakeToken };

async function signIn({ browser = visitor(), link, claims, make }: Visit = {}) {
  const url = await startOpenid(browser, link);
  return comeBack(browser, provider.answer(url, claims as never, make));
}

const opensConsole = (reply: { headers: Record<string, unknown> }) =>
  reply.headers['location'] === '/console';

const signedBy =
  (key: Parameters<SignJWT['sign']>[0], header: object = {}): MakeToken =>
  (token) =>
    new SignJWT(token.claims).setProtectedHeader({ ...token.header, ...header }).sign(key);
/** The provider's own key, with an algorithm that its key set does not name. */
const withAlgorithm = async (key: Provider['privateKey'], alg: string) =>
  importJWK({ ...(await exportJWK(key)), alg }, alg);
const text = (value: object) => base64url.encode(JSON.stringify(value));

describe('an ID token', () => {
  test('signed by the provider signs in', async () => {
    const link = codeOf(await invitationTo(FIRST_ACCOUNT));

    expect(opensConsole(await signIn({ link }))).toBe(true);
  });

  test.each<{ what: string; claims?: object; make?: (own: Provider) => Promise<MakeToken> }>([
    {
      what: 'another key',
      make: async () => signedBy((await generateKeyPair('RS256')).privateKey),
    },
    {
      what: 'no signature',
      make:
        async () =>
        async ({ claims }: IdToken) =>
          `${text({ alg: 'none' })}.${text(claims)}.`,
    },
    {
      what: 'a signature that was cut off',
      make: async (own) => async (token) =>
        (await signedBy(own.privateKey)(token)).replace(/[^.]*$/, ''),
    },
    {
      what: 'the client secret (HS256)',
      make: async () => signedBy(new TextEncoder().encode(CLIENT_SECRET), { alg: 'HS256' }),
    },
    {
      what: 'the public key as a secret (HS256)',
      make: async (own) =>
        signedBy(new TextEncoder().encode(await exportSPKI(own.publicKey)), { alg: 'HS256' }),
    },
    {
      what: 'a key of another id',
      make: async (own) => signedBy(own.privateKey, { kid: `${KEY_ID} 2` }),
    },
    {
      what: 'the key of another algorithm',
      make: async (own) => signedBy(await withAlgorithm(own.privateKey, 'PS256'), { alg: 'PS256' }),
    },
    { what: 'an expired time', claims: { exp: 1 } },
    { what: 'another audience', claims: { aud: 'another client' } },
    { what: 'the nonce of another sign-in', claims: { nonce: 'another' } },
    { what: 'no nonce', claims: { nonce: undefined } },
    { what: 'another issuer', claims: { iss: 'https://accounts.example' } },
  ])('with $what is refused', async ({ claims = {}, make }) => {
    const link = codeOf(await invitationTo(FIRST_ACCOUNT));
    const browser = visitor();

    const forgedReply = await signIn({
      browser,
      link,
      claims,
      ...(make && { make: await make(provider) }),
    });

    expect(decodeURIComponent(String(forgedReply.headers.location))).toMatch(/did not confirm/);
    expect((await me(browser)).statusCode).toBe(401);
    // The invitation is still open.
    const look = await visitor().call('POST', '/console/api/links/look', { code: link });
    expect(look.statusCode).toBe(200);
  });
});

describe('a provider on this machine', () => {
  test.each([
    { jwks_uri: 'http://192.0.2.1/keys' },
    { token_endpoint: 'http://localhost.example/token' },
    { authorization_endpoint: 'http://127.0.0.1.example/authorize' },
    { token_endpoint: 'ftp://127.0.0.1/token' },
  ])('names no other machine without TLS: %o', async (metadata) => {
    const elsewhere = await openTokenProvider(metadata);
    const otherService = await buildApp({ slots: 0, env: elsewhere.env });
    const reply = await new Browser(otherService).call('POST', '/console/api/openid/start', {});
    await otherService.close();
    await elsewhere.close();

    expect(reply.statusCode).toBe(503);
  });

  test.each([
    'http://accounts.example',
    'http://localhost.example',
    'http://localhost:80@accounts.example',
    'http://127.0.0.1:8080@accounts.example/',
    'https://user:secret@accounts.example',
    'ftp://localhost',
  ])('is not %s', (issuer) => {
    expect(() => loadConfig({ OPENID_ISSUER: issuer })).toThrow(/OPENID_ISSUER/);
  });
});

describe('a person whom a tenant named like the e-mail address of somebody', () => {
  test('is not that somebody: neither lands the identity there, nor serves the password', async () => {
    const tenant = await otherAccount();
    const trap = await visitor().join(await invitationTo(tenant), 'ada@example.com');
    const link = codeOf(await invitationTo(FIRST_ACCOUNT, 'builder'));
    const [stranger, ada] = [visitor(), visitor()];

    const uninvited = await signIn({ browser: stranger });
    const invited = await signIn({ browser: ada, link });

    expect(decodeURIComponent(String(uninvited.headers.location))).toMatch(/is not invited/);
    expect(opensConsole(invited)).toBe(true);
    const { id } = (await me(ada)).json();
    expect((await me(ada)).json()).toMatchObject({
      name: 'ada@example.com',
      account: { id: FIRST_ACCOUNT },
      role: 'builder',
    });
    expect(id).not.toBe((await me(trap)).json().id);
    // The tenant's password opens the tenant's account only.
    const byPassword = visitor();
    await byPassword.signIn('ada@example.com');
    expect((await me(byPassword)).json()).toMatchObject({ account: { id: tenant } });
  });

  test('gains nothing from a domain that an account was given', async () => {
    const tenant = await otherAccount();
    await visitor().join(await invitationTo(tenant), 'ada@example.com');
    const domains = `/admin/accounts/${FIRST_ACCOUNT}/domains`;
    await owner.call('POST', domains, { domain: 'example.com', role: 'builder' });
    const ada = visitor();

    await signIn({ browser: ada });

    expect((await me(ada)).json()).toMatchObject({ account: { id: FIRST_ACCOUNT } });
  });

  test.each([
    { email: 'ada@example.com', email_verified: false },
    { email: 'ada@example.com', email_verified: 'true' },
    { email: 'ada@sub.example.com' },
    { email: 'ada@example.com.accounts.example' },
    { email: 'example.com' },
    { email: undefined, preferred_username: 'ada@example.com', name: 'ada@example.com' },
  ])('does not join by the domain with %o', async (claims) => {
    const domains = `/admin/accounts/${FIRST_ACCOUNT}/domains`;
    await owner.call('POST', domains, { domain: 'example.com' });
    const browser = visitor();

    await signIn({ browser, claims });

    expect((await me(browser)).statusCode).toBe(401);
  });

  test('is no administrator of that name', async () => {
    await owner.call('POST', '/admin/admins', { name: 'ada@example.com', password: PASSWORD });
    const browser = visitor();

    await signIn({ browser });

    expect((await me(browser)).statusCode).toBe(401);
  });

  test('is not reached by the same subject of another provider', async () => {
    await signIn({ link: codeOf(await invitationTo(FIRST_ACCOUNT)) });
    const otherProvider = await openTokenProvider();
    const { place } = service;
    const restarted = await buildApp({ slots: 0, place, env: otherProvider.env });
    const browser = new Browser(restarted);

    await comeBack(browser, otherProvider.answer(await startOpenid(browser)));
    const reply = await me(browser);
    await restarted.close();
    await otherProvider.close();

    expect(reply.statusCode).toBe(401);
  });
});

const cookieOf = (browser: Browser) => /troupe_openid=([^;]+)/.exec(browser.cookie!)![1]!;
const withCookie = (value: string) => {
  const browser = visitor();
  browser.cookie = `troupe_openid=${value}`;
  return browser;
};

describe('the cookie of a running sign-in', () => {
  let url: string;
  let cookie: string;
  let link: string;
  beforeEach(async () => {
    link = codeOf(await invitationTo(FIRST_ACCOUNT));
    const browser = visitor();
    url = await startOpenid(browser, link);
    cookie = cookieOf(browser);
  });

  test('works, and hides the invitation and the secrets of the flow', async () => {
    expect(cookie).not.toContain(link);
    expect(Buffer.from(cookie, 'base64url').toString('latin1')).not.toContain(link);

    expect(opensConsole(await comeBack(withCookie(cookie), provider.answer(url)))).toBe(true);
  });

  test('is taken once, also by a browser that keeps it', async () => {
    await comeBack(withCookie(cookie), provider.answer(url));

    const repeatedReply = await comeBack(withCookie(cookie), provider.answer(url));

    expect(decodeURIComponent(String(repeatedReply.headers.location))).toMatch(/took too long/);
  });

  test.each<{ what: string; forge: () => string }>([
    {
      what: 'made by hand',
      forge: () => {
        const { searchParams } = new URL(url);
        const state = searchParams.get('state');
        const nonce = searchParams.get('nonce');
        return base64url.encode(JSON.stringify({ state, nonce, verifier: 'any', link }));
      },
    },
    { what: 'changed', forge: () => cookie.replace(/.(?=[^.]*$)/, (c) => (c === 'A' ? 'B' : 'A')) },
    {
      what: 'ten minutes old',
      forge: () => {
        service.clock.leap(600_000);
        return cookie;
      },
    },
    { what: 'empty', forge: () => '%7B%7D' },
  ])('is refused when $what', async ({ forge }) => {
    const browser = withCookie(forge());

    const reply = await comeBack(browser, provider.answer(url));

    expect(decodeURIComponent(String(reply.headers.location))).toMatch(/took too long/);
    expect((await me(browser)).statusCode).toBe(401);
  });

  test('of another installation is refused', async () => {
    const otherService = await buildApp({ slots: 0, env: provider.env });
    const browser = new Browser(otherService);
    browser.cookie = `troupe_openid=${cookie}`;
    const reply = await comeBack(browser, provider.answer(url));
    await otherService.close();

    expect(decodeURIComponent(String(reply.headers.location))).toMatch(/took too long/);
  });
});

describe('an invitation', () => {
  test('is not taken from an address, which logs and histories keep', async () => {
    const link = codeOf(await invitationTo(FIRST_ACCOUNT));

    const reply = await visitor().call('GET', `/console/api/openid/start?link=${link}`);

    expect(reply.headers).not.toHaveProperty('set-cookie');
  });

  test('is not started by a page of another site', async () => {
    const link = codeOf(await invitationTo(FIRST_ACCOUNT));
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };

    const reply = await visitor().call('POST', '/console/api/openid/start', { link }, { headers });

    expect(reply.statusCode).toBe(403);
  });
});
