import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TypedEvents } from '#shared/typed-events.ts';
import { agentRecords } from '../../src/records/agents/agents.ts';
import { callMessageRecords } from '../../src/records/calls/call-messages.ts';
import { callRecords, type CallRecord } from '../../src/records/calls/calls.ts';
import { usageRecords } from '../../src/records/sessions/usage.ts';
import { Reconciler } from '../../src/sessions/reconciliation/reconciler.ts';
import { callWatcher, createCalls, type Calls } from '../../src/calls/calls.ts';
import { anAgent } from '../support/api/agent.ts';
import { NORA } from '../support/api/build-app.ts';
import {
  ACCOUNT,
  openRecords,
  quietLog,
  startControlPlane,
  type ControlPlane,
  type Store,
} from '../support/fleet/control-plane.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';
import { until } from '../support/until.ts';

let plane: ControlPlane;
let store: Store;
let calls: Calls;
let agentId: string;
let avatarWorker: SimulatedWorker;
let agent: SimulatedWorker;

beforeEach(async () => {
  type LaterParts = 'avatars' | 'sessions' | 'rooms';
  let parts: Omit<Parameters<typeof createCalls>[0], LaterParts> | null = null;
  store = await openRecords((db, encryptor, lists) => {
    parts = {
      records: {
        calls: callRecords(db, encryptor, lists),
        callMessages: callMessageRecords(db, encryptor, lists),
        agents: agentRecords(db, encryptor, lists),
      },
      arrivals: { expect: () => ({ arrived: Promise.resolve(), forget: () => {} }) },
      limits: {
        visitors: { hash: (address) => address, check: async () => {} },
        budgets: { check: async () => {}, open: async () => {} },
      },
      outbox: { add: async () => {} },
      callEvents: new TypedEvents(console.error),
    };
    return [callWatcher(parts)];
  });
  plane = await startControlPlane({ store });
  const avatars = {
    performing: async (_: string, id: string) => ({ id, name: 'Mira', bundleHash: null }),
  };
  calls = createCalls({
    ...parts!,
    avatars,
    sessions: plane,
    rooms: plane.rooms,
  });
  const agentRecord = anAgent({ accountId: ACCOUNT.id, createdAt: plane.clock.now() });
  agentId = agentRecord.id;
  await agentRecords(store.db, store.encryptor, store.lists).insert(agentRecord);
  avatarWorker = await plane.worker({ avatars: [NORA], slots: 2 }).join();
  agent = await plane.worker({ kind: 'agent', slots: 2 }).join();
});
afterEach(async () => {
  await plane.close();
  await store.db.destroy();
});

const open = async (fields: Partial<Parameters<Calls['open']>[1]> = {}): Promise<CallRecord> => {
  const caller = { userName: null, userEmail: null, tags: {} };
  return (await calls.open(ACCOUNT, { agentId, ...caller, ...fields })).call;
};
const find = async ({ id }: CallRecord) => (await calls.find(ACCOUNT.id, id))!;
const leases = async () => (await plane.fleet.counts()).leases;

/** A call with both participants in its room. */
async function ongoing() {
  const call = await open();
  const avatarAssignment = await avatarWorker.next('assign');
  const agentAssignment = await agent.next('assign');
  await avatarWorker.started(avatarAssignment.placement);
  await agent.started(agentAssignment.placement);
  return { call, shown: avatarAssignment.placement, held: agentAssignment.placement };
}

describe('the conversation of a call', () => {
  test('is assigned to an agent worker with its call and the avatar’s room', async () => {
    const call = await open();

    const avatarAssignment = await avatarWorker.next('assign');
    const agentAssignment = await agent.next('assign');
    expect(agentAssignment).toMatchObject({
      callId: call.id,
      room: { url: avatarAssignment.room.url, token: `agent of ${call.roomName}` },
    });
    expect(avatarAssignment).not.toHaveProperty('callId');
    expect(plane.rooms.metadata.map((text) => JSON.parse(text))).toEqual([
      { 'troupe.ai_agent': true },
    ]);
    const [identities] = plane.rooms.identities;
    expect(identities).toEqual({
      avatar: 'avatar_worker',
      agent: expect.stringMatching(/^agent-/),
      viewer: expect.stringMatching(/^user-/),
    });
  });

  test('is not shown, counted or billed', async () => {
    const { call, shown: avatarPlacement, held: agentPlacement } = await ongoing();

    const { data } = await plane.records.page(ACCOUNT.id, { limit: 10 });
    expect(data.map(({ id }) => id)).toEqual([call.sessionId]);
    expect(await plane.records.find(ACCOUNT.id, agentPlacement.sessionId)).toBeNull();
    expect(await plane.ending.end(ACCOUNT.id, agentPlacement.sessionId)).toBeNull();
    await plane.stayFor(60_000);
    const span = { from: plane.clock.now() - 3_600_000, to: plane.clock.now() };
    expect(await usageRecords(store.db).live(ACCOUNT.id)).toBe(1);
    expect(await usageRecords(store.db).between(ACCOUNT.id, span)).toBe(60_000);

    await avatarWorker.ended(avatarPlacement, 'removed');
    expect(await usageRecords(store.db).live(ACCOUNT.id)).toBe(0);
  });

  test('does not make the call ongoing; the avatar does', async () => {
    const call = await open();
    await agent.started((await agent.next('assign')).placement);

    expect(await find(call)).toMatchObject({ status: 'to_start' });

    await avatarWorker.started((await avatarWorker.next('assign')).placement);
    expect(await find(call)).toMatchObject({ status: 'ongoing' });
  });

  test('agrees with rows, leases and rooms', async () => {
    await ongoing();
    const parts = { ...plane, places: plane.live, log: quietLog };
    const reconciler = new Reconciler(parts);

    expect(await reconciler.look()).toMatchObject({
      findings: [],
      leases: 2,
      sessions: 2,
      rows: 2,
    });
    await reconciler.close();
  });
});

describe('a call', () => {
  test('ends with its conversation, for the same reason, and the avatar leaves', async () => {
    const { call, shown: avatarPlacement, held: agentPlacement } = await ongoing();
    await plane.stayFor(90_000);

    await agent.ended(agentPlacement, 'room_empty', 60_000);

    const endedAt = plane.clock.now() - 60_000;
    expect(await find(call)).toMatchObject({ status: 'completed', endedAt });
    expect(await plane.records.find(ACCOUNT.id, call.sessionId)).toMatchObject({
      endReason: 'room_empty',
      endedAt,
    });
    expect(await avatarWorker.next('end')).toMatchObject({
      placement: avatarPlacement,
      reason: 'room_empty',
    });
    await until(async () => (await leases()) === 0 && plane.rooms.open.size === 0);
    expect(plane.eventNames).toContain('session.ended room_empty');
  });

  test('ends with its avatar, and the agent leaves', async () => {
    const { call, shown: avatarPlacement, held: agentPlacement } = await ongoing();

    await avatarWorker.ended(avatarPlacement, 'removed');

    expect(await agent.next('end')).toMatchObject({ placement: agentPlacement, reason: 'removed' });
    expect(await find(call)).toMatchObject({ status: 'completed' });
    expect(await store.records.ofCall(call.id)).toMatchObject([
      { status: 'completed', endReason: 'removed' },
      { status: 'completed', endReason: 'removed' },
    ]);
    await until(async () => (await leases()) === 0);
  });

  test('ended through the API ends both sessions', async () => {
    const { call, shown: avatarPlacement, held: agentPlacement } = await ongoing();

    await calls.end(call);

    expect(await avatarWorker.next('end')).toMatchObject({
      placement: avatarPlacement,
      reason: 'ended_by_client',
    });
    expect(await agent.next('end')).toMatchObject({
      placement: agentPlacement,
      reason: 'ended_by_client',
    });
  });

  test('continues when its agent worker is killed: another one gets the conversation', async () => {
    const { call, held: agentPlacement } = await ongoing();
    const spare = await plane.worker({ kind: 'agent', slots: 1 }).join();

    agent.crash();
    await until(async () => (await plane.fleet.counts('agent')).workers === 1);
    await plane.stayFor(1_000, [avatarWorker, spare]);

    expect(await spare.next('assign')).toMatchObject({
      callId: call.id,
      placement: { sessionId: agentPlacement.sessionId, epoch: 2 },
    });
    expect(avatarWorker.performing.size).toBe(1);
    expect(await find(call)).toMatchObject({ status: 'ongoing' });
  });

  test('moves its conversation from an agent worker that drains', async () => {
    const { held: agentPlacement } = await ongoing();
    const spare = await plane.worker({ kind: 'agent', slots: 1 }).join();

    agent.say({ type: 'load', performing: 1, lateFrames: 0, draining: true, drainLeftMs: 0 });
    expect(await agent.next('release')).toMatchObject({ placement: agentPlacement });
    agent.say({ type: 'released', placement: agentPlacement });

    expect(await spare.next('assign')).toMatchObject({
      placement: { sessionId: agentPlacement.sessionId, epoch: 2 },
    });
  });

  test('ends as worker_lost when no other worker takes its conversation', async () => {
    const { call } = await ongoing();

    agent.crash();
    await agent.closed();
    await plane.stayFor(17_000, [avatarWorker]);

    await until(async () => (await find(call)).status === 'completed');
    expect(await avatarWorker.next('end')).toMatchObject({ reason: 'worker_lost' });
  });

  test('survives a restart of the control plane with both sessions', async () => {
    const { call, shown: avatarPlacement, held: agentPlacement } = await ongoing();
    const [port, clock, rooms] = [plane.port, plane.clock, plane.rooms];
    await plane.stop();
    await Promise.all([avatarWorker.closed(), agent.closed()]);

    plane = await startControlPlane({ store, port, clock, rooms });
    await Promise.all([avatarWorker.join(), agent.join()]);
    plane.clock.advance(6_000);
    await store.atRest();
    await plane.reports.handle(agentPlacement, { type: 'ended', agoMs: 0, reason: 'time_limit' });

    expect(await find(call)).toMatchObject({ status: 'completed' });
    expect(await avatarWorker.next('end')).toMatchObject({
      placement: avatarPlacement,
      reason: 'time_limit',
    });
    await Promise.all([avatarWorker.close(), agent.close()]);
  });

  test('is refused without an agent worker, and holds no avatar slot', async () => {
    await agent.close();
    plane.clock.advance(10_000);

    await expect(open()).rejects.toMatchObject({
      fault: 'at_capacity',
      about: { reason: 'no_agent_worker' },
    });
    expect(await leases()).toBe(0);
  });

  test('is refused without a free avatar slot, and holds no agent slot', async () => {
    await open();
    await open();
    const spare = await plane.worker({ kind: 'agent', slots: 1 }).join();
    const third = open();
    await until(async () => (await plane.fleet.counts()).waiting === 1);
    await Promise.all([avatarWorker, agent, spare].map((worker) => worker.atRest()));
    plane.clock.advance(2_000);

    await expect(third).rejects.toMatchObject({ fault: 'at_capacity', about: { reason: 'full' } });
    expect(await leases()).toBe(4);
  });

  test('holds no slot when the media server is unavailable', async () => {
    plane.rooms.isAnswering = false;

    await expect(open()).rejects.toThrow('media server');

    expect(await leases()).toBe(0);
  });
});
