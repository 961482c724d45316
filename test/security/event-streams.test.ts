import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOOK_EVERY_MS } from '../../src/http/auth/still-permitted.ts';
import { HEARTBEAT_MS } from '../../src/http/plumbing/event-stream.ts';
import { apiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import { adminCall, makeAccount, TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { until } from '../support/until.ts';

const MAX = 3;

/** A looked-up key is known for a second. */
const KNOWN_MS = 1_000;

let service: BuiltApp;
let id: string;
beforeEach(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD, EVENT_STREAMS_PER_KEY: String(MAX) } });
  id = await openSession();
});
afterEach(() => service.close());

type Headers = Record<string, string>;

const openSession = async (headers: Headers = {}): Promise<string> =>
  (await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA }, headers })).json().id;

async function follow(session = id, headers: Headers = { 'x-api-key': API_KEY }) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const url = `${service.url}/v1/sessions/${session}/events`;
  const response = await fetch(url, { headers, signal });
  return { response, leave: () => leaving.abort() };
}

/** Resolves when the service has ended the stream. */
const textOf = ({ response }: { response: Response }) => response.text();

describe('the event streams of a key', () => {
  test('are limited, and a closed one makes room', async () => {
    const streams = [];
    for (let i = 0; i < 20; i += 1) streams.push(await follow());

    const statuses = streams.map(({ response }) => response.status);
    expect(statuses.slice(0, MAX)).toEqual([200, 200, 200]);
    expect(new Set(statuses.slice(MAX))).toEqual(new Set([429]));
    expect(await streams.at(-1)!.response.json()).toMatchObject({
      detail: expect.stringContaining('have 3 of these event streams open'),
    });
    const { headers } = await makeAccount(service, 'unlimited');
    const stream = await follow(await openSession(headers), headers);
    expect(stream.response.status).toBe(200);

    streams[0]!.leave();
    await until(async () => {
      const { response } = await follow();
      if (response.status !== 200) await response.text();
      return response.status === 200;
    });
  });

  test('end at once when it is revoked, and others stay', async () => {
    const account = await makeAccount(service, 'unlimited');
    const session = await openSession(account.headers);
    const revoked = [
      await follow(session, account.headers),
      await follow(session, account.headers),
    ];
    await follow();

    await adminCall(service)('DELETE', `/accounts/${account.id}/keys/${account.keyId}`);

    for (const stream of revoked) expect(await textOf(stream)).toContain('event: session');
    expect(service.clock.dueIn(HEARTBEAT_MS)).toBe(1);
    expect((await follow(session, account.headers)).response.status).toBe(401);
  });

  test('end within two seconds when it is revoked unnoticed, as by a command, while it is used', async () => {
    const account = await makeAccount(service, 'unlimited');
    const session = await openSession(account.headers);
    await service.clock.pass(KNOWN_MS - 1);
    const stream = await follow(session, account.headers);
    const statusOfRequest = async () =>
      (await service.call('GET', '/v1/sessions', { headers: account.headers })).statusCode;
    await service.clock.pass(1);
    // The key is looked up now, and known for a second.
    expect(await statusOfRequest()).toBe(200);
    const database = service.place.open();
    await apiKeyRecords(database).revoke(account.id, account.keyId, service.clock.now());
    await database.destroy();

    await service.clock.pass(LOOK_EVERY_MS - 1);
    expect(await statusOfRequest()).toBe(200);
    await service.clock.pass(LOOK_EVERY_MS);

    expect(await textOf(stream)).toContain('event: session');
    expect(await statusOfRequest()).toBe(401);
  });

  test.each([
    { what: 'may no longer read sessions', change: { scopes: ['agents:read'] } },
    { what: 'may no longer be used there', change: { allowed_networks: ['203.0.113.0/24'] } },
  ])('end at once when it $what', async ({ change }) => {
    const account = await makeAccount(service, 'unlimited');
    const stream = await follow(await openSession(account.headers), account.headers);

    const path = `/accounts/${account.id}/keys/${account.keyId}`;
    await adminCall(service)('PATCH', path, { payload: change });

    expect(await textOf(stream)).toContain('event: session');
  });

  test('end within a second when it expires', async () => {
    const account = await makeAccount(service, 'unlimited');
    const stream = await follow(await openSession(account.headers), account.headers);
    const expires_at = new Date(service.clock.now() + LOOK_EVERY_MS).toISOString();
    const path = `/accounts/${account.id}/keys/${account.keyId}`;
    await adminCall(service)('PATCH', path, { payload: { expires_at } });

    service.clock.advance(LOOK_EVERY_MS);

    expect(await textOf(stream)).toContain('event: session');
  });
});
