/*
 * Guesses of passwords, links and codes are slowed, by address and by name, whether they are right
 * or wrong, at all control planes together. Strangers do not lock anyone out for long.
 */
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import { addAgent } from '../support/api/agent.ts';
import { Browser, codeOf, PASSWORD } from '../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import { newPlace } from '../support/records/database.ts';
import { hasRedis, RedisServer } from '../support/records/redis.ts';

const GUESSER = '203.0.113.1';
const HOME = '198.51.100.1';
/** The password of a person with the same name. */
const OTHER_PASSWORD = 'a password of the other one';
/** Wrong guesses without a wait. The next one makes the guesser wait. */
const FREE = 10;

type Reply = { statusCode: number; headers: Record<string, unknown> };
type Guess = (service: BuiltApp, isRight: boolean, remoteAddress: string) => Promise<Reply>;

let service: BuiltApp;
let owner: Browser;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  const headers = { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` };
  const { link } = (
    await service.app.server.inject({
      method: 'POST',
      url: '/admin/invitations',
      headers,
      payload: {
        account_id: '00000000-0000-4000-8000-000000000001',
        role: 'owner',
        is_operator: true,
      },
    })
  ).json();
  owner = await new Browser(service, { remoteAddress: HOME }).join(link, 'ada');
  await service.app.server.inject({
    method: 'POST',
    url: '/admin/admins',
    headers,
    payload: { name: 'root', password: PASSWORD },
  });
});
afterEach(() => service.close());

const signIn =
  (name: string): Guess =>
  (at, isRight, remoteAddress) =>
    new Browser(at, { remoteAddress }).signIn(name, isRight ? PASSWORD : 'a wrong password');

const askAdmin: Guess = (at, isRight, remoteAddress) =>
  at.app.server.inject({
    url: '/admin/accounts',
    remoteAddress,
    headers: { authorization: `Bearer ${isRight ? TROUPE_ADMIN_PASSWORD : 'wrong'}` },
  });

/** Secrets that people type or open. Each has a right and a wrong form. */
const secrets: { what: string; prepare?: () => Promise<Guess>; guess?: Guess }[] = [
  { what: 'the admin password', guess: askAdmin },
  {
    what: 'the admin password of the try page',
    guess: (at, isRight, remoteAddress) =>
      at.app.server.inject({
        method: 'POST',
        url: '/page-token',
        remoteAddress,
        headers: { authorization: `Bearer ${isRight ? TROUPE_ADMIN_PASSWORD : 'wrong'}` },
      }),
  },
  {
    what: 'the password of a named administrator',
    guess: (at, isRight, remoteAddress) =>
      at.app.server.inject({
        method: 'POST',
        url: '/admin/sign-ins',
        remoteAddress,
        payload: { name: 'root', password: isRight ? PASSWORD : 'a wrong password' },
      }),
  },
  { what: 'the password of a person', guess: signIn('ada') },
  {
    what: 'the current password, by a browser that was left open',
    prepare: async () => {
      const body = { name: 'ada', password: PASSWORD };
      const leftBrowser = new Browser(service, { remoteAddress: GUESSER });
      await leftBrowser.call('POST', '/console/api/sign-in', body);
      return (_service, isRight) =>
        leftBrowser.call('PATCH', '/console/api/me', {
          name: 'ada',
          current_password: isRight ? PASSWORD : 'a wrong password',
        });
    },
  },
  {
    what: 'the code of an invitation',
    prepare: async () => {
      const { link } = (await owner.call('POST', '/v1/invitations', { role: 'viewer' })).json();
      return (at, isRight, remoteAddress) =>
        new Browser(at, { remoteAddress }).call('POST', '/console/api/links/look', {
          code: isRight ? codeOf(link) : 'wrong',
        });
    },
  },
  {
    what: 'the code of an invitation that is used',
    prepare: async () => {
      const { link } = (await owner.call('POST', '/v1/invitations', { role: 'viewer' })).json();
      return (at, isRight, remoteAddress) =>
        new Browser(at, { remoteAddress }).call('POST', '/console/api/links/use', {
          code: isRight ? codeOf(link) : 'wrong',
          name: 'bob',
          password: PASSWORD,
        });
    },
  },
  {
    what: 'the code of the try page',
    guess: (at, isRight, remoteAddress) =>
      at.app.server.inject({
        method: 'POST',
        url: '/page-token',
        remoteAddress,
        payload: { code: isRight ? at.app.pageCode : 'wrong' },
      }),
  },
  {
    what: 'the link token of a private agent',
    prepare: async () => {
      const { id } = await addAgent(service);
      const reply = await service.call('POST', `/v1/agents/${id}/link-secret`);
      const secret = reply.json().link_secret as string;
      const token = (key: string) =>
        new SignJWT({ sub: id, exp: Math.floor(service.clock.now() / 1000) + 600 })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(key));
      return async (at, isRight, remoteAddress) =>
        at.app.server.inject({
          url: `/v1/chat/${id}`,
          remoteAddress,
          headers: { authorization: `Bearer ${await token(isRight ? secret : 'x'.repeat(43))}` },
        });
    },
  },
];

describe.each(secrets)('guesses of $what', ({ prepare, guess: fixedGuess }) => {
  let guess: Guess;
  beforeEach(async () => {
    guess = fixedGuess ?? (await prepare!());
  });

  test('are refused after the first ones, the right one too, until the wait is over', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 60; i += 1)
      statuses.push((await guess(service, false, GUESSER)).statusCode);
    const right = await guess(service, true, GUESSER);
    service.clock.advance(999);
    const early = await guess(service, true, GUESSER);
    service.clock.advance(1);
    const late = await guess(service, true, GUESSER);

    expect(statuses.filter((status) => status !== 429)).toHaveLength(FREE + 1);
    expect(right.statusCode).toBe(429);
    expect(right.headers['retry-after']).toBe('1');
    expect(early.statusCode).toBe(429);
    expect(Math.floor(late.statusCode / 100)).toBe(2);
  });
});

const floodFrom = async (guess: Guess, addresses: number) => {
  const statuses: number[] = [];
  for (let i = 0; i < addresses; i += 1)
    statuses.push((await guess(service, false, `192.0.2.${i}`)).statusCode);
  return statuses;
};

describe('an owner', () => {
  test('signs in at home while strangers at many addresses guess the name', async () => {
    const statuses = await floodFrom(signIn('ada'), 40);

    expect(statuses.filter((status) => status === 401)).toHaveLength(FREE + 1);
    expect((await signIn('ada')(service, true, '198.51.100.2')).statusCode).toBe(429);
    expect((await signIn('ada')(service, true, HOME)).statusCode).toBe(200);
  });

  test('waits a minute at most, however long strangers go on', async () => {
    for (let i = 0; i < 200; i += 1) {
      await signIn('ada')(service, false, `192.0.2.${i}`);
      service.clock.advance(10_000);
    }
    const refused = await signIn('ada')(service, true, '198.51.100.2');

    expect(refused.statusCode).toBe(429);
    service.clock.advance(Number(refused.headers['retry-after']) * 1000);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await signIn('ada')(service, true, '198.51.100.2')).statusCode).toBe(200);
  });

  test('has the admin password at every address but the guessing one', async () => {
    for (let i = 0; i < 30; i += 1) await askAdmin(service, false, GUESSER);

    expect((await askAdmin(service, true, GUESSER)).statusCode).toBe(429);
    expect((await askAdmin(service, true, HOME)).statusCode).toBe(200);
  });

  test('signs in where somebody opens a dead link again and again', async () => {
    const open = () =>
      new Browser(service, { remoteAddress: HOME }).call('POST', '/console/api/links/look', {
        code: 'dead',
      });
    for (let i = 0; i < 30; i += 1) await open();

    expect((await open()).statusCode).toBe(429);
    expect((await signIn('ada')(service, true, HOME)).statusCode).toBe(200);
  });

  test('uses the admin API as often as they like', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => askAdmin(service, true, HOME)),
    );

    expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true);
  });
});

describe('a guesser', () => {
  test('gets no more tries by a right secret of their own', async () => {
    const { link } = (await owner.call('POST', '/v1/invitations', { role: 'viewer' })).json();
    await new Browser(service, { remoteAddress: GUESSER }).join(link, 'mallory');
    const statuses: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      statuses.push((await signIn('ada')(service, false, GUESSER)).statusCode);
      await signIn('mallory')(service, true, GUESSER);
    }

    expect(statuses.filter((status) => status === 401)).toHaveLength(FREE + 1);
  });

  test('gets no more tries by a namesake in an account of their own', async () => {
    const account = (await owner.call('POST', '/admin/accounts', { name: 'mine' })).json();
    const { link } = (
      await owner.call('POST', '/admin/invitations', { account_id: account.id, role: 'owner' })
    ).json();
    const namesake = await new Browser(service, { remoteAddress: GUESSER }).join(
      link,
      'ada',
      OTHER_PASSWORD,
    );
    // Each own password is a guess at that of the other.
    const statuses: number[] = [];
    let password = OTHER_PASSWORD;
    for (let i = 0; i < 30; i += 1) {
      const nextGuess = i === 20 ? PASSWORD : `guess number ${i}`;
      const body = { password: nextGuess, current_password: password };
      if ((await namesake.call('PATCH', '/console/api/me', body)).statusCode === 200)
        password = nextGuess;
      const reply = await new Browser(service, { remoteAddress: GUESSER }).signIn('ada', password);
      statuses.push(reply.statusCode);
    }

    expect(statuses.filter((status) => status !== 429)).toHaveLength(FREE + 1);
    expect(statuses).not.toContain(409);
  });

  test('tries other addresses of their network in vain', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 40; i += 1)
      statuses.push((await askAdmin(service, false, `2001:db8::${i.toString(16)}`)).statusCode);

    expect(statuses.filter((status) => status === 401)).toHaveLength(FREE + 1);
  });

  test('guesses API keys within the limit for strangers, which does not stop a right key', async () => {
    const limited = await buildApp({ slots: 0, env: { REQUESTS_PER_MINUTE: '2' } });
    const ask = (key: string) =>
      limited.call('GET', '/v1/auth/verify', { headers: { 'x-api-key': key } });
    const statuses: number[] = [];
    for (let i = 0; i < 30; i += 1) statuses.push((await ask(`troupe_${i}`)).statusCode);
    const right = await limited.call('GET', '/v1/auth/verify');
    await limited.close();

    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(right.statusCode).toBe(204);
  });
});

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('at two control planes', () => {
  test('guesses count together', async () => {
    const redis = await RedisServer.open();
    const place = await newPlace();
    const env = { TROUPE_ADMIN_PASSWORD, REDIS_URL: redis.url };
    const planes = [
      await buildApp({ slots: 0, place, env }),
      await buildApp({ slots: 0, place, env }),
    ];
    const statuses: number[] = [];
    for (let i = 0; i < 40; i += 1)
      statuses.push((await askAdmin(planes[i % 2]!, false, GUESSER)).statusCode);
    const right = await Promise.all(planes.map((plane) => askAdmin(plane, true, GUESSER)));
    for (const plane of planes) await plane.close();
    await place.remove();
    await redis.close();

    expect(statuses.filter((status) => status === 401)).toHaveLength(FREE + 1);
    expect(right.map(({ statusCode }) => statusCode)).toEqual([429, 429]);
  });
});
