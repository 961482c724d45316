/* Full pools that overflow to another control plane. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FACE } from '#protocol/room-terms.ts';
import { makeAccount } from '../support/api/admin.ts';
import { addAgent } from '../support/api/agent.ts';
import { auditLogOf } from '../support/api/audit-log.ts';
import {
  LIMITS,
  NOWHERE,
  OUTSIDE_KEY,
  OVERFLOW_PATH,
  OverflowStage,
  ROOM,
} from '../support/fleet/overflow-stage.ts';
import { NORA, roomToken, THEO } from '../support/api/build-app.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';
import { until } from '../support/until.ts';

let stage: OverflowStage;
beforeEach(async () => {
  stage = await OverflowStage.open();
});
afterEach(() => stage.close());

describe('a session of a full pool', () => {
  test('is created outside in the room of its caller, and mirrored here', async () => {
    await stage.set();
    const { id, assigned } = await stage.placeOutside({ max_session_length_minutes: 5 });

    expect(assigned.room).toMatchObject({ url: ROOM });
    expect(assigned.avatarId).toBe(NORA);
    await stage.worker.started(assigned.placement);
    await stage.comesTrue(async () => (await stage.read(id)).status.type === 'ongoing');
    const [mirror] = await stage.mirrored();
    expect(mirror).toMatchObject({ session_id: id, state: 'showing', minutes: 0, cost: 1 });
    expect(await stage.readOutside(mirror.outside_id)).toMatchObject({
      status: { type: 'ongoing' },
      max_session_length_minutes: 10,
    });
    expect(await stage.overflow()).toMatchObject({
      state: 'ready',
      sessions: 1,
      spent: 0,
      reserved: 1,
    });

    stage.outside.clock.advance(180_000);
    await stage.endThere(assigned, 'agent_left');
    await stage.endsHere(id, 'agent_left');
    await stage.allClosed();

    expect((await stage.mirrored())[0]).toMatchObject({
      minutes: 3,
      cost: 0.3,
      end_reason: 'agent_left',
    });
    expect(await stage.overflow()).toMatchObject({
      sessions: 0,
      spent: 0.3,
      reserved: 0,
      minutes: 3,
    });
    const { body } = await stage.home.call('GET', '/metrics');
    expect(body).toContain('troupe_overflow_results_total{pool="default",result="placed"} 1\n');
    expect(body).toContain('troupe_overflow_ceiling{pool="default"} 2\n');
  });

  test('stays here while a worker has a free slot', async () => {
    await stage.set();
    const worker = await stage.home.join({ slots: 1 });

    expect((await stage.create()).statusCode).toBe(201);
    await worker.next('assign');
    const second = await stage.placeOutside();

    expect(await stage.mirrored()).toMatchObject([{ session_id: second.id }]);
  });

  test('is ended there when it is ended here', async () => {
    await stage.set();
    const { id, assigned } = await stage.begin();
    const [{ outside_id }] = await stage.mirrored();

    await stage.home.call('POST', `/v1/sessions/${id}/end`);
    await stage.allClosed();

    await until(() => !stage.worker.performing.has(assigned.placement.sessionId));
    expect(await stage.readOutside(outside_id)).toMatchObject({ end_reason: 'ended_by_client' });
    expect(await stage.read(id)).toMatchObject({ end_reason: 'ended_by_client' });
  });

  test('goes on with a worker here when the provider loses it', async () => {
    await stage.set();
    const { id, assigned } = await stage.begin();
    const worker = await stage.home.join({ slots: 1 });

    await stage.endThere(assigned, 'service_stopped');
    await stage.comesTrue(() => worker.performing.has(id));

    expect((await stage.read(id)).status.type).toBe('ongoing');
    expect((await stage.mirrored())[0]).toMatchObject({ end_reason: 'service_stopped' });
  });

  test.each([
    ['overflow_ceiling', { ceiling: 1.5 }, 'the cost ceiling of the outside service is reached'],
    ['overflow_full', { max_sessions: 1 }, 'has as many sessions as it may'],
  ])('is refused with the reason %s', async (reason, limits, detail) => {
    await stage.set(limits);
    await stage.placeOutside();

    const refused = await stage.create();

    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ reason, detail: expect.stringContaining(detail) });
    expect(await stage.mirrored()).toHaveLength(1);
    expect(await stage.overflow()).toMatchObject({ state: reason.replace('overflow_', '') });
  });

  test('is refused as without an overflow where the provider has no slot', async () => {
    await stage.worker.close();
    await until(async () => (await stage.outside.call('GET', '/readyz')).statusCode === 503);
    await stage.set();

    const { id } = (await stage.create()).json();
    await stage.allClosed();

    expect((await stage.mirrored())[0]).toMatchObject({ cost: 0 });
    expect(await stage.overflow()).toMatchObject({
      state: 'resting',
      problem: expect.stringContaining('It refuses the session (503)'),
    });
    // Looked for a worker meanwhile, then given up.
    stage.home.clock.advance(20_000);
    await stage.endsHere(id, 'worker_lost');
  });
});

describe('an avatar that the provider does not know', () => {
  test('keeps no other one from going there', async () => {
    await stage.set({ avatars: { [NORA]: 'nobody-there' } });
    await stage.create();
    await stage.allClosed();

    const { assigned } = await stage.placeOutside({ avatar_id: THEO });
    await stage.worker.started(assigned.placement);
    await stage.create();
    await stage.comesTrue(async () => (await stage.overflow()).sessions === 1);

    expect(assigned.avatarId).toBe(THEO);
    expect(await stage.mirrored()).toHaveLength(2);
    expect(await stage.overflow()).toMatchObject({ state: 'ready' });
  });
});

describe('a call of a full pool', () => {
  let agentWorker: SimulatedWorker;
  let agent_id: string;
  const open = () =>
    stage.home.call('POST', '/v1/calls', { payload: { agent_id, user_name: 'Grace' } });
  beforeEach(async () => {
    agentWorker = await stage.home.joinAgent({ slots: 1 });
    // A room that the outside service can reach, with a token that it can read.
    const { rooms } = stage.home;
    const create = rooms.create.bind(rooms);
    const avatarToken = await roomToken();
    rooms.create = async (options) => ({
      ...(await create(options)),
      url: ROOM,
      publicUrl: ROOM,
      avatarToken,
    });
    ({ id: agent_id } = await addAgent(stage.home));
  });

  test('gets its face outside, in the room of the call, and its conversation here', async () => {
    await stage.set();
    const opened = await open();
    const call = opened.json();
    const face = await stage.worker.next('assign');
    const conversation = await agentWorker.next('assign');

    expect(opened.statusCode).toBe(201);
    expect(stage.home.rooms.identities).toMatchObject([
      { avatar: FACE, agent: `agent-${call.id}` },
    ]);
    expect(face).toMatchObject({ room: { url: ROOM }, avatarId: NORA });
    expect(face).not.toHaveProperty('callId');
    const room = { url: ROOM, token: 'agent of room-1' };
    expect(conversation).toMatchObject({ callId: call.id, room });
    expect(stage.outside.agents).toEqual([]);
    const read = async () => (await stage.home.call('GET', `/v1/calls/${call.id}`)).json();
    await stage.worker.started(face.placement);
    await stage.comesTrue(async () => (await read()).status.type === 'ongoing');

    await agentWorker.ended(conversation.placement, 'room_empty');
    await stage.allClosed();

    await until(() => !stage.worker.performing.has(face.placement.sessionId));
    expect((await read()).status.type).toBe('completed');
    expect(stage.home.rooms.open.size).toBe(0);
  });

  test('that the outside service must not take holds no slot for its conversation', async () => {
    await stage.set({ ceiling: 0.5 });

    const refused = [await open(), await open()];

    expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect(refused.map((reply) => reply.json().reason)).toEqual(
      Array.from({ length: 2 }, () => 'overflow_ceiling'),
    );
    await stage.home.join({ slots: 1 });
    expect((await open()).statusCode).toBe(201);
  });
});

describe('an overflow', () => {
  test('is for operators, and never shows its key', async () => {
    const { headers } = await makeAccount(stage.home, 'unlimited');
    expect((await stage.home.call('GET', OVERFLOW_PATH, { headers })).statusCode).toBe(403);

    const reply = await stage.set();
    const listed = await stage.asOperator('GET');
    const log = await auditLogOf(stage.home, stage.operator).read('?action=overflow.set');

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ pool: 'default', ...LIMITS, state: 'ready' });
    expect(log).toMatchObject({ data: [{ target_id: 'default', after: { api_key: '[new]' } }] });
    expect(JSON.stringify([reply.json(), listed.json(), log])).not.toContain(OUTSIDE_KEY);
    const database = stage.place.open();
    const rows = await database.selectFrom('overflows').selectAll().execute();
    await database.destroy();
    expect(JSON.stringify(rows)).not.toContain(OUTSIDE_KEY);
  });

  test('keeps its key when it is changed without one', async () => {
    expect((await stage.set({ api_key: undefined })).json()).toMatchObject({
      detail: [{ type: 'missing', loc: ['body', 'api_key'] }],
    });
    await stage.set();

    expect((await stage.set({ api_key: undefined, ceiling: 7 })).json()).toMatchObject({
      ceiling: 7,
    });
    // The key would go to whoever has the new address.
    expect((await stage.set({ api_key: undefined, url: NOWHERE })).json()).toMatchObject({
      detail: [{ type: 'missing', loc: ['body', 'api_key'] }],
    });
    await stage.placeOutside();
  });

  test('gets no session that it could not end, after another control plane changed it', async () => {
    await stage.set();
    const database = stage.place.open();
    await database.updateTable('overflows').set({ url: NOWHERE }).execute();
    await database.destroy();

    expect((await stage.create()).statusCode).toBe(503);
    expect(await stage.mirrored()).toEqual([]);
    expect(stage.worker.performing.size).toBe(0);
  });

  test.each(['http://avatars.example', 'https://10.0.0.1', 'https://u:p@avatars.example'])(
    'refuses the address %s',
    async (url) => {
      const refused = await stage.set({ url });

      expect(refused.statusCode).toBe(422);
      expect(refused.json().detail).toMatchObject([{ loc: ['body', 'url'] }]);
    },
  );

  test('stays while sessions are open there, and is removed after', async () => {
    await stage.set();
    const { id } = await stage.begin();

    expect((await stage.asOperator('DELETE')).statusCode).toBe(409);
    expect((await stage.set({ url: NOWHERE })).statusCode).toBe(409);
    await stage.set({ max_sessions: 0 });
    expect((await stage.create()).statusCode).toBe(503);
    await stage.home.call('POST', `/v1/sessions/${id}/end`);
    await stage.comesTrue(async () => (await stage.overflow()).sessions === 0);

    expect((await stage.asOperator('DELETE')).statusCode).toBe(204);
    expect((await stage.asOperator('DELETE')).statusCode).toBe(404);
    expect(await stage.overflow()).toBeUndefined();
  });
});
