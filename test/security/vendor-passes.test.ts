import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import { adminCall, makeAccount, TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import { buildApp, roomToken, type BuiltApp } from '../support/api/build-app.ts';
import { SECOND_AVATAR } from '../support/cast.ts';
import type { Given } from '../http/compat/recorded/recording.ts';
import { recordedOf } from '../http/compat/recorded/table.ts';

let service: BuiltApp;
let account: Awaited<ReturnType<typeof makeAccount>>;
beforeEach(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  account = await makeAccount(service, 'unlimited');
});
afterEach(() => service.close());

const ROOM = { url: 'wss://media.their.example', avatar: SECOND_AVATAR.alias };

type Vendor = 'anam 1.8.0' | 'simli 1.8.9';

async function inRoom(room: string, earlier: Given['earlier']): Promise<Given> {
  const token = await roomToken({ roomJoin: true, room });
  return { ...ROOM, key: account.headers['x-api-key'], token, earlier };
}

/** The first call of a session start, and what opens sessions in other rooms with its pass. */
async function prepare(vendor: Vendor) {
  const [first, second] = recordedOf(vendor).calls;
  const send = async (call: typeof first, values: Given) =>
    service.app.server.inject({ method: 'POST', ...call!(values) });
  const prepared = await send(first, await inRoom('first', []));
  return async (room: string) => {
    const reply = await send(second, await inRoom(room, [prepared.json()]));
    return reply.statusCode;
  };
}

describe.each<Vendor>(['anam 1.8.0', 'simli 1.8.9'])('a session token of %s', (vendor) => {
  test('opens a session', async () => {
    const open = await prepare(vendor);

    expect(await open('a room')).toBeLessThan(300);
  });

  test('ends when its key is revoked', async () => {
    const open = await prepare(vendor);
    await adminCall(service)('DELETE', `/accounts/${account.id}/keys/${account.keyId}`);

    expect([await open('a room'), await open('another')]).toEqual([401, 401]);
  });

  test('ends when its key is revoked by another control plane', async () => {
    const open = await prepare(vendor);
    const database = service.place.open();
    await apiKeyRecords(database).revoke(account.id, account.keyId, service.clock.now());
    await database.destroy();

    expect(await open('a room')).toBe(401);
  });

  test.each([
    { change: { expires_at: '2026-01-01T12:00:01Z' }, status: 401 },
    { change: { allowed_networks: ['203.0.113.0/24'] }, status: 403 },
    { change: { scopes: ['avatars:read'] }, status: 403 },
  ])('has the limits that its key got since: $change', async ({ change, status }) => {
    const open = await prepare(vendor);
    await adminCall(service)('PATCH', `/accounts/${account.id}/keys/${account.keyId}`, {
      payload: change,
    });
    service.clock.advance(2_000);

    expect(await open('a room')).toBe(status);
  });
});
