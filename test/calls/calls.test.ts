import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { agentRecords, type Agent, type AgentRecords } from '../../src/records/agents.ts';
import { callMessageRecords } from '../../src/records/call-messages.ts';
import { callRecords } from '../../src/records/calls.ts';
import type { OutgoingEvent } from '../../src/records/outbox.ts';
import { callWatcher, createCalls, type CallParts, type Calls } from '../../src/calls/calls.ts';
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
let told: OutgoingEvent[];
let isOutboxFull: boolean;

beforeEach(async () => {
  told = [];
  isOutboxFull = false;
  const outbox = {
    async tell(_trx: unknown, event: OutgoingEvent) {
      if (isOutboxFull) throw new Error('the outbox is full');
      told.push(event);
    },
  };
  let shared: Pick<CallParts, 'calls' | 'messages' | 'outbox' | 'agents'> | null = null;
  store = await openRecords((db, seal, lists) => {
    agents = agentRecords(db, lists);
    const messages = callMessageRecords(db, lists);
    shared = { calls: callRecords(db, seal, lists), messages, outbox, agents };
    return [callWatcher(shared)];
  });
  plane = await startControlPlane({ store });
  parts = { ...shared!, avatars, sessions: plane.sessions };
  calls = createCalls(parts);
});
afterEach(async () => {
  await plane.close();
  await store.db.destroy();
});

const avatars: CallParts['avatars'] = {
  performing: async (_, id) => ({ id, name: 'Nora', bundleHash: null }),
};

const addAgent = async (given: Partial<Agent> = {}): Promise<Agent> => {
  const agent = anAgent({ accountId: ACCOUNT.id, createdAt: plane.clock.now(), ...given });
  await agents.insert(agent);
  return agent;
};
const join = async () => {
  await plane.worker({ kind: 'agent', slots: 4 }).join();
  return plane.worker({ avatars: [NORA], slots: 4 }).join();
};
const start = async (given: Partial<Parameters<Calls['open']>[1]> = {}) => {
  const { id: agentId } = await addAgent();
  return calls.open(ACCOUNT, { agentId, userName: 'Zoë', userEmail: null, tags: {}, ...given });
};
const said = (sender: 'ai' | 'user', message: string, sentAt: number) => ({
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

describe('opening a call', () => {
  test('opens the session that is its face', async () => {
    await join();

    const { call } = await start();

    const session = await plane.sessions.find(ACCOUNT.id, call.sessionId);
    expect(session).toMatchObject({
      callId: call.id,
      avatarId: NORA,
      maxLengthMinutes: 30,
      builtInRoom: call.roomName,
    });
    expect(call).toMatchObject({ status: 'to_start', userToken: `viewer of ${call.roomName}` });
  });

  test('leaves nothing behind when its record cannot be written', async () => {
    await join();
    parts.calls.insert = async () => {
      throw new Error('the database is away');
    };

    await expect(start()).rejects.toThrow('database is away');

    expect((await plane.sessions.page(ACCOUNT.id, { limit: 10 })).data).toEqual([]);
    expect((await plane.fleet.counts()).leases).toBe(0);
    expect(await liveSessions()).toBe(0);
    await until(() => plane.rooms.open.size === 0);
  });

  test('is refused beyond the account’s sessions at once', async () => {
    await join();
    await start({ maxLive: 1 });

    await expect(start({ maxLive: 1 })).rejects.toMatchObject({ fault: 'concurrency_limit' });

    expect((await calls.page(ACCOUNT.id, { limit: 10 })).data).toHaveLength(1);
  });

  test('is refused where the avatar is kept for others by now', async () => {
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
  test('begins and ends with its session, and tells of its begin at once', async () => {
    const worker = await join();
    const { call } = await start({ tags: { shop: '17' } });
    const { placement } = await worker.next('assign');

    await worker.started(placement);
    const ongoing = await find(call.id);
    await worker.ended(placement, 'agent_left');

    const at = plane.clock.now();
    expect(ongoing).toMatchObject({ status: 'ongoing', startedAt: at, endedAt: null });
    expect(await find(call.id)).toMatchObject({ status: 'completed', startedAt: at, endedAt: at });
    expect(told.map(({ type, subject, accountId }) => ({ type, subject, accountId }))).toEqual([
      { type: 'call.started', subject: call.id, accountId: ACCOUNT.id },
    ]);
    expect(told[0]?.data).toMatchObject({ id: call.id, user_name: 'Zoë', tags: { shop: '17' } });
  });

  test('does not move when what it tells cannot be written; it moves when the worker says it again', async () => {
    const worker = await join();
    const { call } = await start();
    const { placement } = await worker.next('assign');
    isOutboxFull = true;

    const refused = plane.sessions.handle(placement, { type: 'started', agoMs: 0 });
    await expect(refused).rejects.toThrow('outbox is full');
    const before = await find(call.id);
    isOutboxFull = false;
    await plane.sessions.handle(placement, { type: 'started', agoMs: 0 });

    expect(before).toMatchObject({ status: 'to_start' });
    expect(await find(call.id)).toMatchObject({ status: 'ongoing' });
    expect(told.map(({ type }) => type)).toEqual(['call.started']);
  });

  test('of a session without one tells nothing', async () => {
    const worker = await join();
    await plane.sessions.open(ACCOUNT, {
      transport: 'mediaserver',
      avatarId: NORA,
      bundleHash: null,
      video: { width: 512, height: 512, fps: 25 },
      metadata: {},
    });
    const { placement } = await worker.next('assign');

    await worker.started(placement);
    await worker.ended(placement, 'agent_left');

    expect(told).toEqual([]);
  });
});

describe('a message of a call', () => {
  const message = said('ai', 'Hello!', Date.UTC(2026, 0, 1, 12));

  test('is kept and told, as existing receivers read it too', async () => {
    await join();
    const { call } = await start();

    await calls.addMessage(call.id, message, 'line-1');

    expect(await calls.messages(ACCOUNT.id, call.id)).toEqual([message]);
    expect(told).toMatchObject([
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

  test('is not kept when it cannot be told', async () => {
    await join();
    const { call } = await start();
    isOutboxFull = true;

    await expect(calls.addMessage(call.id, message, 'line-1')).rejects.toThrow('outbox is full');

    expect(await calls.messages(ACCOUNT.id, call.id)).toEqual([]);
  });

  test('may hold what no database keeps', async () => {
    await join();
    const { call } = await start();

    await calls.addMessage(call.id, { ...message, message: 'a\0b' }, 'line-1');

    expect(await calls.messages(ACCOUNT.id, call.id)).toEqual([{ ...message, message: 'ab' }]);
  });

  test('of another account’s call is not to be read', async () => {
    await join();
    const { call } = await start();
    await calls.addMessage(call.id, message, 'line-1');

    expect(await calls.messages('account-2', call.id)).toBeNull();
  });
});
