import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let agentId: string;
beforeEach(async () => {
  const env = { SLOT_WAIT_MS: '0', TROUPE_ADMIN_PASSWORD };
  service = await buildApp({ slots: 1, agentSlots: 9, env });
  agentId = (await addAgent(service)).id;
});
afterEach(() => service.close());

type Refused = { line_ticket?: string; line_position?: number };

/** A visitor presses Start. */
const call = async (payload: object, remoteAddress = '203.0.113.1') =>
  service.app.server.inject({
    method: 'POST',
    url: `/v1/chat/${agentId}/calls`,
    payload,
    remoteAddress,
  });

const leave = (ticket: string, agent = agentId) =>
  service.app.server.inject({ method: 'DELETE', url: `/v1/chat/${agent}/line?ticket=${ticket}` });

/** A visitor who comes while the only line is busy. Returns how to go on waiting. */
async function wait(): Promise<{ line_ticket: string }> {
  const { line_ticket = '' } = (await call({ line_ticket: null })).json<Refused>();
  return { line_ticket };
}

const positionOf = async (payload: object) => (await call(payload)).json<Refused>().line_position;

/** The call that takes the only slot. */
async function busy(): Promise<() => Promise<unknown>> {
  const { id, room_token } = (await call({})).json<{ id: string; room_token: string }>();
  const url = `/v1/chat/${agentId}/calls/${id}`;
  const headers = { authorization: `Bearer ${room_token}` };
  return () => service.app.server.inject({ method: 'DELETE', url, headers });
}

describe('a call while all lines are busy', () => {
  test('gets a place in line, and keeps it', async () => {
    await busy();

    const reply = await call({ line_ticket: null });
    const later = await wait();

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(reply.json()).toMatchObject({
      code: 'at_capacity',
      reason: 'full',
      line_ticket: expect.stringMatching(/^\w{40}$/),
      line_position: 1,
    });
    expect(await positionOf(later)).toBe(2);
    expect(await positionOf({ line_ticket: reply.json().line_ticket })).toBe(1);
  });

  test('is opened before those of visitors who came later', async () => {
    const end = await busy();
    const [first, second] = [await wait(), await wait()];
    await end();

    const early = [await call(second), await call({ line_ticket: null }), await call({})];
    const served = await call(first);

    expect(early.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
    expect(served.statusCode).toBe(201);
    expect(await positionOf(second)).toBe(1);
  });

  test('lets another one pass after the visitor has left', async () => {
    const end = await busy();
    const [first, second] = [await wait(), await wait()];
    await end();

    const left = [await leave(first.line_ticket), await leave(first.line_ticket)];

    expect(left.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
    expect((await call(second)).statusCode).toBe(201);
  });

  test('gets no place if its client knows no tickets', async () => {
    await busy();

    expect((await call({})).json()).not.toHaveProperty('line_position');
    expect(await positionOf({ line_ticket: null })).toBe(1);
  });

  test('gets a new place for a ticket that is unknown, and a 422 for none', async () => {
    await busy();
    const known = await wait();

    expect(await positionOf({ line_ticket: 'guessed' })).toBe(2);
    expect((await call({ line_ticket: 'x'.repeat(101) })).statusCode).toBe(422);
    expect((await call({ line_ticket: 5 })).statusCode).toBe(422);
    expect(await positionOf(known)).toBe(1);
  });

  test('asks less often far back in the line', async () => {
    await busy();
    for (let i = 0; i < 10; i++) await call({ line_ticket: null }, `203.0.113.${i}`);

    expect((await call({ line_ticket: null })).headers['retry-after']).toBe('5');
  });

  test('has a line with calls that are opened with a key, and is retried under one key', async () => {
    const end = await busy();
    await wait();
    const headers = { 'idempotency-key': 'one-call' };
    const open = (line_ticket: string | null) =>
      service.call('POST', '/v1/calls', { headers, payload: { agent_id: agentId, line_ticket } });

    const refused = (await open(null)).json<Refused>();
    await end();
    const second = await open(refused.line_ticket ?? '');
    await service.join({ slots: 1 });
    const opened = await open(refused.line_ticket ?? '');
    const repeated = await open(null);

    expect(refused.line_position).toBe(2);
    expect([second, opened, repeated].map(({ statusCode }) => statusCode)).toEqual([503, 201, 201]);
    expect(repeated.json().id).toBe(opened.json().id);
  });
});

describe('a refusal that waiting does not cure', () => {
  test('gives no place', async () => {
    await service.close();
    service = await buildApp({ slots: 0, agentSlots: 1, env: { SLOT_WAIT_MS: '0' } });
    agentId = (await addAgent(service)).id;

    const reply = await call({ line_ticket: null });

    expect(reply.json()).toMatchObject({ reason: 'no_worker_for_avatar' });
    expect(reply.json()).not.toHaveProperty('line_ticket');
  });
});

describe('a place in line', () => {
  test('cannot be given up through the agent of another account', async () => {
    await busy();
    const own = await wait();
    const { id: accountId } = await makeAccount(service, 'free');
    const stranger = await addAgent(service, { accountId });

    const replies = [await leave(own.line_ticket, stranger.id), await leave(own.line_ticket, 'x')];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([204, 404]);
    expect(await positionOf(await wait())).toBe(2);
  });
});
