import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PlanName } from '../../../src/accounts/plan.ts';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { buildApp, NORA, roomToken, type BuiltApp } from '../../support/api/build-app.ts';

const MINUTE = 60_000;
const CONCURRENCY =
  'You have reached your concurrency limit. Please upgrade your plan or stop other ongoing sessions.';
const USAGE = 'Usage limit exceeded. Please upgrade your plan.';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 30, env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

type Caller = Awaited<ReturnType<typeof makeAccount>>;

const open = ({ headers }: Caller, payload: object = {}, extraHeaders: object = {}) =>
  service.call('POST', '/v1/sessions', {
    headers: { ...headers, ...extraHeaders },
    payload: { avatar_id: NORA, ...payload },
  });

/** A completed session of `minutes` minutes. */
async function use(caller: Caller, minutes: number): Promise<void> {
  const { id } = (await open(caller)).json();
  const [worker] = service.workers;
  if (!worker) throw new Error('no worker');
  const { placement } = await worker.next('assign');
  await worker.started(placement);
  service.clock.advance(minutes * MINUTE);
  await service.call('POST', `/v1/sessions/${id}/end`, { headers: caller.headers });
}

describe('concurrent sessions', () => {
  test.each([
    { plan: 'free', sessions: 1 },
    { plan: 'creator', sessions: 3 },
    { plan: 'growth', sessions: 10 },
  ] as const)('are $sessions on the plan $plan', async ({ plan, sessions }) => {
    const caller = await makeAccount(service, plan);

    const replies = await Promise.all(Array.from({ length: 15 }, () => open(caller)));

    const refused = replies.filter((reply) => reply.statusCode === 429);
    expect(replies.filter((reply) => reply.statusCode === 201)).toHaveLength(sessions);
    expect(refused).toHaveLength(15 - sessions);
    for (const reply of refused) expect(reply.json()).toMatchObject({ detail: CONCURRENCY });
    const { free_slots: free } = (await service.app.server.inject({ url: '/readyz' })).json();
    expect(free).toBe(30 - sessions);
  });

  test('are refused without waiting for a slot', async () => {
    const caller = await makeAccount(service, 'free');
    await open(caller);
    const [worker] = service.workers;
    await worker?.close();

    const reply = await open(caller);

    expect(reply.statusCode).toBe(429);
  });

  test('may be requested again without counting twice', async () => {
    const caller = await makeAccount(service, 'free');
    const room = { url: 'wss://media.their.example', token: await roomToken() };
    const key = { 'idempotency-key': 'key-1' };
    const firstReply = await open(caller, room, key);

    const sameRoom = await open(caller, room);
    const sameKey = await open(caller, room, key);

    expect([sameRoom.statusCode, sameKey.statusCode]).toEqual([201, 201]);
    expect([sameRoom.json().id, sameKey.json().id]).toEqual([
      firstReply.json().id,
      firstReply.json().id,
    ]);
  });

  test('are counted until they end', async () => {
    const caller = await makeAccount(service, 'free');
    const { id } = (await open(caller)).json();
    await service.call('POST', `/v1/sessions/${id}/end`, { headers: caller.headers });

    const nextReply = await open(caller);

    expect(nextReply.statusCode).toBe(201);
  });

  test('follow a plan change at once', async () => {
    const caller = await makeAccount(service, 'free');
    await open(caller);
    await adminCall(service)('PATCH', `/accounts/${caller.id}`, { payload: { plan: 'creator' } });

    const nextReply = await open(caller);

    expect(nextReply.statusCode).toBe(201);
  });

  test('are counted per account', async () => {
    const [account, otherAccount] = [
      await makeAccount(service, 'free'),
      await makeAccount(service, 'free'),
    ];
    await open(account);

    const otherReply = await open(otherAccount);

    expect(otherReply.statusCode).toBe(201);
  });
});

const list = ({ headers }: Caller, path = '/v1/sessions') => service.call('GET', path, { headers });

describe('minutes of a month', () => {
  test('used up: sessions can be neither opened nor listed, other routes still answer', async () => {
    const caller = await makeAccount(service, 'free');
    const room = { url: 'wss://media.their.example', token: await roomToken() };
    await use(caller, 30);

    const opened = await open(caller, room);
    const older = await service.call('POST', '/v1/session', {
      headers: caller.headers,
      payload: { avatar_id: NORA },
    });
    const listed = [await list(caller), await list(caller, '/v1/session')];
    const avatars = await list(caller, '/v1/avatars');

    expect([opened.statusCode, older.statusCode]).toEqual([402, 402]);
    expect(opened.json()).toMatchObject({ detail: USAGE });
    for (const reply of listed) {
      expect(reply.statusCode).toBe(429);
      expect(reply.json()).toMatchObject({ detail: USAGE });
    }
    expect(avatars.statusCode).toBe(200);
  });

  test('not used up: sessions are opened', async () => {
    const caller = await makeAccount(service, 'free');
    await use(caller, 29);

    const [opened, listed] = [await open(caller), await list(caller)];

    expect([opened.statusCode, listed.statusCode]).toEqual([201, 200]);
  });

  test.each(['growth', 'scale', 'unlimited'] as const satisfies PlanName[])(
    'may exceed the limit on the plan %s',
    async (plan) => {
      const caller = await makeAccount(service, plan);
      await use(caller, 300);

      const [opened, listed] = [await open(caller), await list(caller)];

      expect([opened.statusCode, listed.statusCode]).toEqual([201, 200]);
    },
  );
});
