import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TypedEvents } from '#shared/typed-events.ts';
import { Fault } from '../../src/errors.ts';
import { agentRecords, type Agent, type AgentRecords } from '../../src/records/agents/agents.ts';
import { callMessageRecords } from '../../src/records/calls/call-messages.ts';
import { callRecords } from '../../src/records/calls/calls.ts';
import type { OutgoingEvent } from '../../src/records/webhooks/outbox.ts';
import { callWatcher, createCalls, type CallParts, type Calls } from '../../src/calls/calls.ts';
import { visitors } from '../../src/calls/visitors.ts';
import { anAgent } from '../support/api/agent.ts';
import { NORA } from '../support/api/build-app.ts';
import {
  ACCOUNT,
  openRecords,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../support/fleet/control-plane.ts';
import { until } from '../support/until.ts';

let plane: ControlPlane;
let store: Store;
let parts: CallParts;
let calls: Calls;
let agents: AgentRecords;
let added: OutgoingEvent[];
let isOutboxFull: boolean;

beforeEach(async () => {
  added = [];
  isOutboxFull = false;
  const outbox = {
    async add(_trx: unknown, event: OutgoingEvent) {
      if (isOutboxFull) throw new Error('the outbox is full');
      added.push(event);
    },
  };
  let records: CallParts['records'] | null = null;
  store = await openRecords((db, encryptor, lists) => {
    agents = agentRecords(db, encryptor, lists);
    const callMessages = callMessageRecords(db, encryptor, lists);
    records = { calls: callRecords(db, encryptor, lists), callMessages, agents };
    return [callWatcher({ records, outbox })];
  });
  plane = await startControlPlane({ store });
  const limits = visitors(records!.calls, visitorLimits, randomBytes(32));
  parts = {
    records: records!,
    outbox,
    sessions: plane,
    avatars,
    rooms: plane.rooms,
    limits: { visitors: limits, budgets: { check: async () => {}, open: async () => {} } },
    arrivals: nobody,
    callEvents: new TypedEvents(console.error),
  };
  calls = createCalls(parts);
});
afterEach(async () => {
  await plane.close();
  await store.db.destroy();
});

const nobody = { expect: () => ({ arrived: Promise.resolve(), forget: () => {} }) };
const visitorLimits = { callsPerAddress: 2, callsPerAgent: 3 };

const avatars: CallParts['avatars'] = {
  performing: async (_, id) => ({ id, name: 'Mira', bundleHash: null }),
};

const addAgent = async (fields: Partial<Agent> = {}): Promise<Agent> => {
  const agent = anAgent({ accountId: ACCOUNT.id, createdAt: plane.clock.now(), ...fields });
  await agents.insert(agent);
  return agent;
};
const join = async () => {
  await plane.worker({ kind: 'agent', slots: 4 }).join();
  return plane.worker({ avatars: [NORA], slots: 4 }).join();
};
const start = async (fields: Partial<Parameters<Calls['open']>[1]> = {}) => {
  const { id: agentId } = await addAgent();
  return calls.open(ACCOUNT, { agentId, userName: 'Zoë', userEmail: null, tags: {}, ...fields });
};
const messageOf = (sender: 'ai' | 'user', message: string, sentAt: number) => ({
  sender,
  message,
  sentAt,
  latency: null,
});
const find = (id: string) => calls.find(ACCOUNT.id, id);
const liveSessions = async () => {
  const account = await store.db
    .selectFrom('accounts')
    .select('live_sessions')
    .executeTakeFirstOrThrow();
  return account.live_sessions;
};

const visit = async (agentId: string, visitorAddress: string) =>
  (await start({ agentId, visitorAddress })).call;
const limitOf = (detail: string) => ({
  fault: 'concurrency_limit',
  message: expect.stringContaining(detail),
});
const endCall = async ({ id, sessionId }: { id: string; sessionId: string }) => {
  await calls.end({ ...(await find(id))!, sessionId });
};

describe('calls of visitors', () => {
  test('are limited by address, over all agents', async () => {
    await join();
    const [firstAgentId, secondAgentId] = [(await addAgent()).id, (await addAgent()).id];
    const firstCall = await visit(firstAgentId, '203.0.113.1');
    await visit(secondAgentId, '203.0.113.1');

    const thirdCall = visit(secondAgentId, '203.0.113.1');

    await expect(thirdCall).rejects.toMatchObject(limitOf('2 calls may be open from one address'));
    await visit(secondAgentId, '203.0.113.2');
    await endCall(firstCall);
    await visit(secondAgentId, '203.0.113.1');
  });

  test('are limited by agent, over all addresses', async () => {
    await join();
    const { id } = await addAgent();
    for (const lastByte of [1, 2, 3]) await visit(id, `203.0.113.${lastByte}`);

    const fourth = visit(id, '203.0.113.4');

    await expect(fourth).rejects.toMatchObject(limitOf('3 visitors may call one agent'));
    await start({ agentId: id });
    expect((await plane.fleet.counts()).leases).toBe(8);
  });

  test('are limited when they are opened at the same time', async () => {
    await join();
    const { id } = await addAgent();

    const opened = await Promise.allSettled(
      Array.from({ length: 4 }, () => visit(id, '203.0.113.1')),
    );

    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await until(async () => (await plane.fleet.counts()).leases === 4);
  });

  test('keep no address, and no hash of it after the end', async () => {
    await join();
    const { id } = await addAgent();
    const call = await visit(id, '203.0.113.1');
    expect((await find(call.id))?.openedFrom).toMatch(/^[\w-]{22}$/);

    await endCall(call);

    expect((await find(call.id))?.openedFrom).toBeNull();
  });
});

describe('opening a call', () => {
  test('opens its avatar session', async () => {
    await join();

    const { call } = await start();

    const session = await plane.records.find(ACCOUNT.id, call.sessionId);
    expect(session).toMatchObject({
      callId: call.id,
      avatarId: NORA,
      maxLengthMinutes: 30,
      builtInRoom: call.roomName,
    });
    expect(call).toMatchObject({ status: 'to_start', userToken: `viewer of ${call.roomName}` });
  });

  test('gives the tokens of workers its time limit and ten minutes, and its user ten minutes', async () => {
    await join();

    await start();

    expect(plane.rooms.created).toMatchObject([{ tokenSeconds: 40 * 60, viewerSeconds: 600 }]);
  });

  test('gives its user another token until it ends', async () => {
    await join();
    const { call } = await start();

    const renewed = await calls.userToken(call);
    await calls.end(call);

    expect(renewed).toBe(`user-${call.id} of ${call.roomName}, renewal 1`);
    expect(await calls.userToken((await find(call.id))!)).toBeNull();
  });

  test('gives the user’s name to the participant', async () => {
    await join();

    await start();
    await start({ userName: '' });

    expect(plane.rooms.created).toMatchObject([{ viewerName: 'Zoë' }, { viewerName: null }]);
  });

  test('leaves nothing when its record cannot be written', async () => {
    await join();
    parts.records.calls.insert = async () => {
      throw new Error('the database is away');
    };

    await expect(start()).rejects.toThrow('database is away');

    expect((await plane.records.page(ACCOUNT.id, { limit: 10 })).data).toEqual([]);
    expect((await plane.fleet.counts()).leases).toBe(0);
    expect(await liveSessions()).toBe(0);
    await until(() => plane.rooms.open.size === 0);
  });

  test('is refused beyond the account’s concurrency limit', async () => {
    await join();
    await start({ maxLive: 1 });

    await expect(start({ maxLive: 1 })).rejects.toMatchObject({ fault: 'concurrency_limit' });

    expect((await calls.page(ACCOUNT.id, { limit: 10 })).data).toHaveLength(1);
  });

  test('is refused if the avatar is now reserved for other accounts', async () => {
    const worker = await join();
    parts.avatars = {
      async performing() {
        throw new Fault('forbidden');
      },
    };
    calls = createCalls(parts);

    await expect(start()).rejects.toMatchObject({ fault: 'forbidden' });

    expect(worker.performing.size).toBe(0);
  });
});

describe('a call', () => {
  test('starts and ends with its session, and reports its start at once', async () => {
    const worker = await join();
    const { call } = await start({ tags: { shop: '17' } });
    const { placement } = await worker.next('assign');

    await worker.started(placement);
    const ongoing = await find(call.id);
    await worker.ended(placement, 'agent_left');

    const at = plane.clock.now();
    expect(ongoing).toMatchObject({ status: 'ongoing', startedAt: at, endedAt: null });
    expect(await find(call.id)).toMatchObject({ status: 'completed', startedAt: at, endedAt: at });
    expect(added.map(({ type, subject, accountId }) => ({ type, subject, accountId }))).toEqual([
      { type: 'call.started', subject: call.id, accountId: ACCOUNT.id },
    ]);
    expect(added[0]?.data).toMatchObject({ id: call.id, user_name: 'Zoë', tags: { shop: '17' } });
  });

  test('does not change if its event cannot be written, and changes when the worker repeats the report', async () => {
    const worker = await join();
    const { call } = await start();
    const { placement } = await worker.next('assign');
    isOutboxFull = true;

    const refused = plane.reports.handle(placement, { type: 'started', agoMs: 0 });
    await expect(refused).rejects.toThrow('outbox is full');
    const callBefore = await find(call.id);
    isOutboxFull = false;
    await plane.reports.handle(placement, { type: 'started', agoMs: 0 });

    expect(callBefore).toMatchObject({ status: 'to_start' });
    expect(await find(call.id)).toMatchObject({ status: 'ongoing' });
    expect(added.map(({ type }) => type)).toEqual(['call.started']);
  });

  test('is not reported for a session without one', async () => {
    const worker = await join();
    await plane.creation.open(ACCOUNT, {
      transport: 'mediaserver',
      avatarId: NORA,
      bundleHash: null,
      video: { width: 512, height: 512, fps: 25 },
      metadata: {},
    });
    const { placement } = await worker.next('assign');

    await worker.started(placement);
    await worker.ended(placement, 'agent_left');

    expect(added).toEqual([]);
  });
});

describe('a message of a call', () => {
  const message = messageOf('ai', 'Hello!', Date.UTC(2026, 0, 1, 12));

  test('is stored and reported in both formats', async () => {
    await join();
    const { call } = await start();

    await calls.addMessage(call.id, message, 'line-1');

    expect(await parts.records.callMessages.list(call.id)).toEqual([message]);
    expect(added).toMatchObject([
      {
        type: 'message',
        subject: call.id,
        data: { call_id: call.id, sender: 'ai', message: 'Hello!' },
        extra: {
          event_type: 'message',
          call_id: call.id,
          call_data: { userName: 'Zoë', agentId: call.agentId },
          message: {
            sender: 'ai',
            message: 'Hello!',
            sent_at: '2026-01-01T12:00:00.000000+00:00',
          },
        },
      },
    ]);
  });

  test('is not stored if its event cannot be written', async () => {
    await join();
    const { call } = await start();
    isOutboxFull = true;

    await expect(calls.addMessage(call.id, message, 'line-1')).rejects.toThrow('outbox is full');

    expect(await parts.records.callMessages.list(call.id)).toEqual([]);
  });

  test('may contain characters that databases reject', async () => {
    await join();
    const { call } = await start();

    await calls.addMessage(call.id, { ...message, message: 'a\0b' }, 'line-1');

    expect(await parts.records.callMessages.list(call.id)).toEqual([{ ...message, message: 'ab' }]);
  });
});
