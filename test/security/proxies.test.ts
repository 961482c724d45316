/*
 * The service behind a real nginx on the same machine. Visitors have addresses of their own:
 * 127.0.0.2, 127.0.0.3 and so on.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { createLog } from '../../src/shared/log.ts';
import { addAgent } from '../support/api/agent.ts';
import { adminCall, TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import { hasNginx, Nginx } from '../support/processes/proxies/nginx.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

let logged: string;
beforeEach(() => {
  logged = '';
});

/** The service behind nginx. `headers`: what nginx is told to add. */
async function behind(env: Record<string, string>, headers = ''): Promise<[BuiltApp, Nginx]> {
  const log = createLog({ name: 'test' }, { write: (line) => (logged += line) });
  const service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD, ...env }, log });
  closing.push(() => service.close());
  const nginx = await Nginx.open(service.url, headers);
  closing.push(() => nginx.close());
  return [service, nginx];
}

type Ask = { path: string; method?: string; headers?: Record<string, string>; body?: object };

/** One request of the visitor with this address. */
async function ask(
  { url }: Pick<Nginx, 'url'>,
  visitor: string,
  { path, method = 'GET', headers, body }: Ask,
): Promise<{ status: number; body: string }> {
  const outgoing = request(new URL(path, url), {
    method,
    localAddress: visitor,
    agent: false,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
  });
  outgoing.end(body && JSON.stringify(body));
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: reply.statusCode!, body: await text(reply) };
}

const FORWARDED = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';
const WEBSOCKETS =
  'proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;';
const TRUSTED_PROXIES = '127.0.0.1/32';

const wrongPassword = { path: '/admin/accounts', headers: { authorization: 'Bearer wrong' } };
const rightPassword = {
  path: '/admin/accounts',
  headers: { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` },
};

/** The visitor writes the header itself. */
const claiming = (address: string) => ({
  ...wrongPassword,
  headers: { ...wrongPassword.headers, 'x-forwarded-for': address },
});

// `.ci/run` installs nginx.
describe.skipIf(!hasNginx)('behind a proxy that adds no headers', () => {
  test.each([
    { PUBLIC_URL: 'https://troupe.example' },
    { CHAT_URL: 'https://chat.example' },
    { TRUSTED_PROXIES },
  ])('the world gets neither a page token nor metrics: %o', async (env) => {
    const [service, nginx] = await behind(env);
    // As nginx passes it on: the peer and Host are loopback, as in a request from this machine.
    const asOurPage = { origin: service.url };

    const token = await ask(nginx, '127.0.0.2', {
      path: '/page-token',
      method: 'POST',
      headers: asOurPage,
    });
    const metrics = await ask(nginx, '127.0.0.2', { path: '/metrics' });

    expect([token.status, metrics.status]).toEqual([403, 403]);
    expect(token.body).not.toContain('"token"');
    expect(metrics.body).not.toContain('troupe_');
  });

  test('no page token is issued without a code, even where no setting tells of the proxy', async () => {
    const [service, nginx] = await behind({});
    const page = { path: '/page-token', method: 'POST', headers: { origin: service.url } };

    const without = await ask(nginx, '127.0.0.2', page);
    const withCode = await ask(nginx, '127.0.0.2', {
      ...page,
      body: { code: service.app.pageCode },
    });

    expect([without.status, withCode.status]).toEqual([403, 201]);
  });

  test('wrong admin passwords of others make everyone wait, but not who is signed in', async () => {
    const [service, nginx] = await behind({ PUBLIC_URL: 'https://troupe.example' });
    const person = { name: 'ada', password: 'correct horse battery' };
    await adminCall(service)('POST', '/admins', { payload: person });
    const signedIn = await ask(nginx, '127.0.0.3', {
      path: '/admin/sign-ins',
      method: 'POST',
      body: person,
    });
    const { token } = JSON.parse(signedIn.body) as { token: string };

    const wrong: number[] = [];
    for (let i = 0; i < 12; i++) wrong.push((await ask(nginx, '127.0.0.2', wrongPassword)).status);
    const right = await ask(nginx, '127.0.0.3', rightPassword);
    const byToken = await ask(nginx, '127.0.0.3', {
      path: '/admin/accounts',
      headers: { authorization: `Bearer ${token}` },
    });
    service.clock.advance(1_000);
    const later = await ask(nginx, '127.0.0.3', rightPassword);

    expect(wrong.slice(9)).toEqual([401, 401, 429]);
    expect([right.status, byToken.status, later.status]).toEqual([429, 200, 200]);
  });
});

// `.ci/run` installs nginx.
describe.skipIf(!hasNginx)('behind a trusted proxy', () => {
  test('chat calls are limited by visitor', async () => {
    const [service, nginx] = await behind({ TRUSTED_PROXIES, CHAT_CALLS_PER_HOUR: '2' }, FORWARDED);
    const agent = await addAgent(service);
    const call = (visitor: string) =>
      ask(nginx, visitor, { path: `/v1/chat/${agent.id}/calls`, method: 'POST', body: {} });

    const replies = [await call('127.0.0.2'), await call('127.0.0.2'), await call('127.0.0.2')];
    const neighbour = await call('127.0.0.3');

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(neighbour.status).toBe(201);
  });

  test('wrong admin passwords lock out their visitor only', async () => {
    const [, nginx] = await behind({ TRUSTED_PROXIES }, FORWARDED);

    for (let i = 0; i < 11; i++) await ask(nginx, '127.0.0.2', wrongPassword);
    const [locked, neighbour] = [
      await ask(nginx, '127.0.0.2', rightPassword),
      await ask(nginx, '127.0.0.3', rightPassword),
    ];

    expect([locked.status, neighbour.status]).toEqual([429, 200]);
  });

  test('requests without a key are limited by visitor', async () => {
    const [, nginx] = await behind({ TRUSTED_PROXIES, REQUESTS_PER_MINUTE: '1' }, FORWARDED);
    const ofStranger = { path: '/v1/sessions' };

    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await ask(nginx, '127.0.0.2', ofStranger)).status);
    const neighbour = await ask(nginx, '127.0.0.3', ofStranger);

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(neighbour.status).toBe(401);
  });

  test('logs name the visitor', async () => {
    const [, nginx] = await behind({ TRUSTED_PROXIES }, `${FORWARDED} ${WEBSOCKETS}`);

    await ask(nginx, '127.0.0.2', wrongPassword);
    await ask(nginx, '127.0.0.3', { path: '/nowhere?of=nobody' });
    const handshake = {
      path: GATEWAY_PATH,
      headers: { connection: 'upgrade', upgrade: 'websocket' },
    };
    await ask(nginx, '127.0.0.4', handshake);

    const lines = logged.split('\n').filter(Boolean);
    const lineWith = (text: string) =>
      JSON.parse(lines.find((line) => line.includes(text)) ?? '{}');
    expect(lineWith('admin password refused')).toMatchObject({ address: '127.0.0.2' });
    expect(lineWith('invalid worker token')).toMatchObject({ from: '127.0.0.4' });
    expect(lineWith('/nowhere')).toMatchObject({
      req: { url: '/nowhere', remoteAddress: '127.0.0.3' },
    });
  });

  test('a visitor cannot claim another address, and nobody can without the proxy', async () => {
    const [service, nginx] = await behind({ TRUSTED_PROXIES }, FORWARDED);
    const proxied: number[] = [];
    const direct: number[] = [];
    for (let i = 0; i < 12; i++) {
      proxied.push((await ask(nginx, '127.0.0.2', claiming(`198.51.100.${i}`))).status);
      direct.push((await ask(service, '127.0.0.3', claiming(`198.51.100.${i}`))).status);
    }

    expect(proxied.slice(10)).toEqual([401, 429]);
    expect(direct.slice(10)).toEqual([401, 429]);
  });

  test('addresses in answers are those that the visitor used', async () => {
    const [service, nginx] = await behind(
      { TRUSTED_PROXIES },
      'proxy_set_header X-Forwarded-Host troupe.example; proxy_set_header X-Forwarded-Proto https;',
    );
    const agent = await addAgent(service);

    const path = `/v1/chat/${agent.id}`;
    const [proxied, direct] = [
      await ask(nginx, '127.0.0.2', { path }),
      await ask(service, '127.0.0.3', { path, headers: { 'x-forwarded-host': 'evil.example' } }),
    ];

    expect(proxied.body).toContain('https://troupe.example/');
    expect(direct.body).not.toContain('evil.example');
  });
});
