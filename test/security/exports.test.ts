import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import { adminCall, makeAccount, TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';

type Owner = Awaited<ReturnType<typeof makeAccount>>;

let service: BuiltApp;
let owner: Owner;
beforeEach(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  owner = await makeAccount(service, 'unlimited');
  await addEntries();
});
afterEach(() => service.close());

/** Does not compress well. */
const randomText = (length: number): string =>
  Array.from({ length: length / 8 }, () => Math.random().toString(36).slice(2, 10).padEnd(8)).join(
    '',
  );

/** More than the sockets between service and client hold. */
const NAMES = Array.from({ length: 3_000 }, () => randomText(2_000));

async function addEntries(): Promise<void> {
  const db = service.place.open();
  const entries = NAMES.map((name, i) => ({
    id: `entry-${i}`,
    account_id: owner.id,
    actor_type: 'command' as const,
    actor_id: null,
    actor_name: name,
    address: null,
    action: 'agent.updated',
    target_id: null,
    before_sealed: null,
    after_sealed: null,
    created_at: 0,
    listed_at: i,
  }));
  for (let at = 0; at < entries.length; at += 500) {
    await db
      .insertInto('audit_entries')
      .values(entries.slice(at, at + 500))
      .execute();
  }
  await db.destroy();
}

const exports = {
  'the export of an account': { method: 'POST', path: '/v1/export' },
  'the export of the audit log': { method: 'GET', path: '/v1/audit-log/export' },
};

/** An export of which the client has read nothing yet. */
async function begin({ method, path }: { method: string; path: string }): Promise<IncomingMessage> {
  const send = request(`${service.url}${path}`, { method, headers: owner.headers });
  send.end();
  const [answer] = (await once(send, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

/** Whether the client gets all of it. */
async function isWhole(answer: IncomingMessage): Promise<boolean> {
  answer.resume();
  await once(answer, 'close').catch(() => {});
  return answer.complete;
}

describe.each(Object.entries(exports))('%s', (_what, route) => {
  test('is whole while its key is valid', async () => {
    expect(await isWhole(await begin(route))).toBe(true);
  });

  test('breaks off when its key is revoked', async () => {
    const answer = await begin(route);

    await adminCall(service)('DELETE', `/accounts/${owner.id}/keys/${owner.keyId}`);

    expect(await isWhole(answer)).toBe(false);
  });

  test('breaks off when its key is revoked unnoticed, as by another control plane', async () => {
    const answer = await begin(route);
    const db = service.place.open();
    await apiKeyRecords(db).revoke(owner.id, owner.keyId, service.clock.now());
    await db.destroy();
    // Keys are cached for a second.
    service.clock.advance(1_000);

    expect(await isWhole(answer)).toBe(false);
  });

  test('breaks off when its key may no longer export', async () => {
    const answer = await begin(route);

    const payload = { scopes: ['sessions:write'] };
    await adminCall(service)('PATCH', `/accounts/${owner.id}/keys/${owner.keyId}`, { payload });

    expect(await isWhole(answer)).toBe(false);
  });
});
