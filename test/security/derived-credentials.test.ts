/* Derived credentials end with the credential that made them: SECURITY.md has the table. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IDLE_MS } from '../../src/accounts/people/sign-ins.ts';
import { LOOK_EVERY_MS } from '../../src/http/auth/still-permitted.ts';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { LIFETIME_SECONDS } from '../../src/http/auth/page-token.ts';
import { signInRecords } from '../../src/records/people/sign-ins.ts';
import { Browser, codeOf, PASSWORD, personOf } from '../support/api/browser.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';

let service: BuiltApp;
let owner: Browser;
beforeEach(async () => {
  service = await buildApp();
  owner = await new Browser(service).openHere();
});
afterEach(() => service.close());

type Headers = Record<string, string>;

const cookieOf = (browser: Browser): Headers => ({ cookie: browser.cookie! });
const idOf = async (browser: Browser): Promise<string> =>
  (await browser.call('GET', '/console/api/me')).json().id;

async function follow(path: string, headers: Headers): Promise<Response> {
  const response = await fetch(`${service.url}${path}`, { headers });
  expect(response.status).toBe(200);
  return response;
}

/** Runs the looks that are due until the service ends the stream. */
async function endsWithin(ms: number, response: Response): Promise<void> {
  await service.clock.pass(ms);
  await response.text();
}

/** Changes the records behind the service's back, as another control plane does. */
async function elsewhere(change: (db: ReturnType<BuiltApp['place']['open']>) => Promise<unknown>) {
  const db = service.place.open();
  await change(db);
  await db.destroy();
}

describe('an event stream of a person ends within a second', () => {
  let person: Browser & { name: string };
  let stream: Response;
  beforeEach(async () => {
    person = await personOf(service, owner, 'viewer');
    stream = await follow('/v1/events', cookieOf(person));
  });

  test('of signing out', async () => {
    await person.call('POST', '/console/api/sign-out', {});

    await endsWithin(LOOK_EVERY_MS, stream);
  });

  test('of being removed', async () => {
    await owner.call('DELETE', `/v1/people/${await idOf(person)}`);

    await endsWithin(LOOK_EVERY_MS, stream);
  });

  test('of a new password, set in another browser', async () => {
    const browser = new Browser(service);
    await browser.signIn(person.name);
    const change = { password: `${PASSWORD} 2`, current_password: PASSWORD };
    expect((await browser.call('PATCH', '/console/api/me', change)).statusCode).toBe(200);

    await endsWithin(LOOK_EVERY_MS, stream);
  });

  test('of its sign-in being ended by another control plane', async () => {
    const id = await idOf(person);
    await elsewhere((db) => signInRecords(db).removeAll(id));

    await endsWithin(LOOK_EVERY_MS, stream);
  });

  test('of 12 hours without use', async () => {
    service.clock.leap(IDLE_MS);

    await endsWithin(LOOK_EVERY_MS, stream);
  });
});

test('the event stream of an operator ends within a second of losing the fleet', async () => {
  const stream = await follow('/v1/fleet/events', cookieOf(owner));
  const id = await idOf(owner);
  await elsewhere((db) =>
    db.updateTable('people').set({ operator_since: null }).where('id', '=', id).execute(),
  );

  await endsWithin(LOOK_EVERY_MS, stream);
});

test('an event stream that a page token opened ends with the token', async () => {
  const tokenReply = await service.app.server.inject({
    method: 'POST',
    url: '/page-token',
    payload: { code: service.app.pageCode },
  });
  const session = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
  const headers = { 'x-page-token': tokenReply.json().token };
  const stream = await follow(`/v1/sessions/${session.json().id}/events`, headers);
  service.clock.leap(LIFETIME_SECONDS.page * 1000);

  await endsWithin(LOOK_EVERY_MS, stream);
});

const asOperator = (adminPassword: string) =>
  buildApp({ slots: 0, place: service.place, env: { TROUPE_ADMIN_PASSWORD: adminPassword } });

test('a page token that the admin password gave ends with that password', async () => {
  const firstStart = await asOperator('the first password');
  const headers = { authorization: 'Bearer the first password' };
  const request = { method: 'POST', url: '/page-token', headers } as const;
  const tokenReply = await firstStart.app.server.inject(request);
  const opensAt = async ({ call }: BuiltApp) => {
    const pageHeaders = { 'x-api-key': '', 'x-page-token': tokenReply.json().token };
    return (await call('GET', '/v1/avatars', { headers: pageHeaders })).statusCode;
  };
  const secondStart = await asOperator('another password');

  expect([await opensAt(firstStart), await opensAt(secondStart)]).toEqual([200, 401]);
  await firstStart.close();
  await secondStart.close();
});

test('a worker connection ends within a second of its token, though no message says so', async () => {
  const creation = await owner.call('POST', '/v1/fleet/worker-tokens', { name: 'rack 7' });
  const { id, token } = creation.json() as { id: string; token: string };
  const [worker, stays] = [await service.join({ token }), await service.join()];
  await elsewhere((db) =>
    db.updateTable('worker_tokens').set({ revoked_at: 1 }).where('id', '=', id).execute(),
  );

  await service.clock.pass(1_000);

  expect(await worker.closed()).toBe(CLOSE.token_revoked.code);
  expect(stays.isConnected).toBe(true);
});

const look = async (link: string) => {
  const payload = { code: codeOf(link) };
  return (await new Browser(service).call('POST', '/console/api/links/look', payload)).statusCode;
};
const use = async (link: string) => {
  const payload = { code: codeOf(link), name: 'somebody new', password: PASSWORD };
  return (await new Browser(service).call('POST', '/console/api/links/use', payload)).statusCode;
};
const isSpent = async (link: string) => [await look(link), await use(link)];
const SPENT = [404, 404];

const makeKey = async (makerKey = API_KEY) => {
  const headers = { 'x-api-key': makerKey };
  const payload = { name: 'of a program' };
  const reply = await service.call('POST', '/v1/api-keys', { payload, headers });
  return reply.json() as { id: string; key: string };
};
const inviteWith = async (key: string): Promise<string> => {
  const request = { payload: { role: 'owner' }, headers: { 'x-api-key': key } };
  return (await service.call('POST', '/v1/invitations', request)).json().link;
};
const signInLinkOf = async (maker: Browser, person: Browser): Promise<string> =>
  (await maker.call('POST', `/v1/people/${await idOf(person)}/sign-in-links`)).json().link;

const statusOf = async (key: string): Promise<number> =>
  (await service.call('GET', '/v1/sessions', { headers: { 'x-api-key': key } })).statusCode;

describe('what outlives its key on purpose', () => {
  let maker: { id: string; key: string };
  beforeEach(async () => void (maker = await makeKey()));

  test('is a key that it made, as when it is replaced; the audit log names the maker', async () => {
    const { id, key } = await makeKey(maker.key);

    await service.call('DELETE', `/v1/api-keys/${maker.id}`);

    expect([await statusOf(maker.key), await statusOf(key)]).toEqual([401, 200]);
    const { data } = (await service.call('GET', '/v1/audit-log')).json();
    expect(data).toContainEqual(
      expect.objectContaining({
        target_id: id,
        actor: expect.objectContaining({ id: maker.id }),
      }),
    );
  });

  test('is a session that it opened, which its account ends', async () => {
    const headers = { 'x-api-key': maker.key };
    const payload = { avatar_id: NORA };
    const { id } = (await service.call('POST', '/v1/sessions', { payload, headers })).json();
    const path = `/v1/sessions/${id}`;

    await service.call('DELETE', `/v1/api-keys/${maker.id}`);

    const stateOf = async () => (await service.call('GET', path)).json().status.type;
    expect(await stateOf()).not.toBe('completed');
    await service.call('POST', `${path}/end`);
    expect(await stateOf()).toBe('completed');
  });
});

describe('a one-time link', () => {
  test('of a key is good while the key is, and ends when it is revoked', async () => {
    const { id, key } = await makeKey();
    const [opened, link] = [await inviteWith(key), await inviteWith(key)];
    expect(await isSpent(opened)).toEqual([200, 200]);

    await service.call('DELETE', `/v1/api-keys/${id}`);

    expect(await isSpent(link)).toEqual(SPENT);
  });

  test.each([{ scopes: ['sessions:read'] }, { expires_at: '2026-01-01T12:00:01Z' }])(
    'of a key ends when the key gets the limit %o',
    async (limits) => {
      const { id, key } = await makeKey();
      const link = await inviteWith(key);

      await service.call('PATCH', `/v1/api-keys/${id}`, { payload: limits });
      service.clock.advance(2_000);

      expect(await isSpent(link)).toEqual(SPENT);
    },
  );

  test.each(['removed', 'made a builder'])('of a person ends when they are %s', async (fate) => {
    const maker = await personOf(service, owner, 'owner');
    const path = `/v1/people/${await idOf(maker)}`;
    const { link } = (await maker.call('POST', '/v1/invitations', { role: 'viewer' })).json();
    const viewer = await personOf(service, owner, 'viewer');
    const signInLink = await signInLinkOf(maker, viewer);
    expect([await look(link), await look(signInLink)]).toEqual([200, 200]);

    if (fate === 'removed') await owner.call('DELETE', path);
    else await owner.call('PATCH', path, { role: 'builder' });

    expect(await isSpent(link)).toEqual(SPENT);
    expect(await isSpent(signInLink)).toEqual(SPENT);
  });

  test('that signs in ends with a new password', async () => {
    const viewer = await personOf(service, owner, 'viewer');
    const links = [await signInLinkOf(owner, viewer), await signInLinkOf(owner, viewer)];
    expect(await use(links[0]!)).toBe(200);

    expect(await isSpent(links[1]!)).toEqual(SPENT);
  });

  test('that signs in ends when its person gets rights that its maker lacks', async () => {
    const maker = await personOf(service, owner, 'owner');
    const viewer = await personOf(service, owner, 'viewer');
    const link = await signInLinkOf(maker, viewer);
    const id = await idOf(viewer);
    await elsewhere((db) =>
      db.updateTable('people').set({ operator_since: 1 }).where('id', '=', id).execute(),
    );

    expect(await isSpent(link)).toEqual(SPENT);
  });
});
