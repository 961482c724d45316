import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';
import { queueDepthReaches } from '../../support/api/queue-depth.ts';

let service: BuiltApp;
let agentId: string;

const start = async () => {
  service = await buildApp();
  agentId = (await addAgent(service)).id;
};
const stop = () => service.close();

const open = (payload: object = {}, headers = {}) =>
  service.call('POST', '/v1/calls', { payload: { agent_id: agentId, ...payload }, headers });
const assignment = async () => {
  const [worker] = service.workers;
  const assign = await worker?.next('assign');
  if (!assign) throw new Error('nothing was assigned');
  // The answer has arrived, so time may pass.
  await worker?.atRest();
  return assign;
};

/** The first token may have expired. */
const renewal = expect.stringContaining('renewal 1');
const renewed = { mediaserver_token: renewal, livekit_token: renewal };

describe('starting a call', () => {
  beforeEach(start);
  afterEach(stop);

  test('needs only an agent, and returns the credentials to join', async () => {
    const reply = await open();

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agent_id: agentId,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: { type: 'to_start' },
      mediaserver_url: 'wss://media.example',
      mediaserver_token: 'viewer of room-1',
      livekit_url: 'wss://media.example',
      livekit_token: 'viewer of room-1',
      user_name: null,
      user_email: null,
      tags: {},
      started_at: '2026-01-01T12:00:00.000000+00:00',
      ended_at: null,
      evaluation: null,
      rating: null,
      rating_comment: null,
    });
  });

  test('names its session, which names the call', async () => {
    const call = (await open()).json();

    const session = await service.call('GET', `/v1/sessions/${call.session_id}`);

    expect(session.json()).toMatchObject({ id: call.session_id, call_id: call.id });
  });

  test('stores name, email and tags of the user', async () => {
    const viewerFields = { user_name: 'Zoë', user_email: 'zoe@example.com', tags: { shop: '17' } };

    const reply = await open(viewerFields);

    expect(reply.json()).toMatchObject(viewerFields);
    const retrievedBody = await service.call('GET', `/v1/calls/${reply.json().id}`);
    expect(retrievedBody.json()).toMatchObject(viewerFields);
  });

  test("the agent's avatar joins under the identity that published clients show", async () => {
    await open();

    expect(await assignment()).toMatchObject({
      avatarId: NORA,
      room: { url: 'ws://media.internal', token: 'avatar of room-1' },
    });
    expect(service.rooms.identities).toEqual([
      { avatar: 'avatar_worker', agent: expect.anything(), viewer: expect.anything() },
    ]);
  });

  test('the avatar speaks for the agent; each call has its own user and agent identity', async () => {
    await open();
    await open();

    const [firstCall, secondCall] = service.rooms.identities;
    expect(firstCall?.agent).toMatch(/^agent-[\w-]{36}$/);
    expect(firstCall?.viewer).toMatch(/^user-[\w-]{36}$/);
    expect(firstCall?.viewer).not.toBe(secondCall?.viewer);
    expect(firstCall?.agent).not.toBe(secondCall?.agent);
  });

  test('assigns its conversation to an agent worker', async () => {
    const { id } = (await open()).json();

    expect(await service.agents[0]?.next('assign')).toMatchObject({ callId: id });
  });

  test('answers when the agent listens', async () => {
    await service.close();
    service = await buildApp({ times: { agentWaitMs: 5_000 } });
    agentId = (await addAgent(service)).id;
    let isAnswered = false;
    const opening = open().finally(() => (isAnswered = true));
    const { placement } = await service.agents[0]!.next('assign');
    await service.workers[0]!.started((await assignment()).placement);
    expect(isAnswered).toBe(false);

    await service.agents[0]!.started(placement);

    expect((await opening).statusCode).toBe(201);
  });

  test('answers 503 without an agent worker', async () => {
    await service.agents[0]?.close();
    await service.clock.pass(10_000);

    const reply = await open();

    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({ reason: 'no_agent_worker' });
  });

  test("ends shortly after the agent's limit, even of a fraction of a minute, if the agent does not end it", async () => {
    const { id } = await addAgent(service, { maxSessionLengthMinutes: 0.1 });
    const call = (await open({ agent_id: id })).json();
    await service.workers[0]?.started((await assignment()).placement);

    await service.clock.pass(26_000);

    const readCall = () => service.call('GET', `/v1/calls/${call.id}`);
    await until(async () => (await readCall()).json().status.type === 'completed');
    expect((await readCall()).json()).toMatchObject({
      started_at: '2026-01-01T12:00:00.000000+00:00',
      ended_at: '2026-01-01T12:00:26.000000+00:00',
    });
  });

  test('counts as one session', async () => {
    await open();

    const sessions = await service.call('GET', '/v1/sessions');

    expect(sessions.json().data).toHaveLength(1);
    expect(sessions.json().data[0]).toMatchObject({ max_session_length_minutes: 30 });
  });

  test('with an unknown agent names it in the error', async () => {
    const reply = await open({ agent_id: 'nobody' });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({
      detail: 'The requested resource was not found.',
      agent_id: 'nobody',
    });
  });

  test('repeats the first answer for the same Idempotency-Key, with a token that is still valid', async () => {
    const firstReply = await open({}, { 'idempotency-key': 'k1' });

    const repeat = await open({}, { 'idempotency-key': 'k1' });

    expect(repeat.statusCode).toBe(201);
    expect(repeat.json()).toEqual({ ...firstReply.json(), ...renewed });
    expect(service.rooms.identities).toHaveLength(1);
  });

  test('finds the same call after the service was killed before it stored the answer', async () => {
    const firstReply = await open({}, { 'idempotency-key': 'k1' });
    const records = service.place.open();
    await records.deleteFrom('replies').execute();
    await records.destroy();

    const repeat = await open({}, { 'idempotency-key': 'k1' });

    expect(repeat.json()).toEqual({ ...firstReply.json(), ...renewed });
  });

  test('conflicts with a session opened under the same key', async () => {
    const payload = { avatar_id: NORA };
    const headers = { 'idempotency-key': 'k1' };
    await service.call('POST', '/v1/sessions', { payload, headers });
    const records = service.place.open();
    await records.deleteFrom('replies').execute();
    await records.destroy();

    expect((await open({}, headers)).statusCode).toBe(409);
  });

  test('answers 503 with Retry-After when no slot becomes free', async () => {
    const full = await buildApp({ slots: 0, agentSlots: 1 });
    const { id } = await addAgent(full);

    const waiting = full.call('POST', '/v1/calls', { payload: { agent_id: id } });
    await queueDepthReaches(full);
    await full.clock.pass(2_000);
    const reply = await waiting;

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect((await full.call('GET', '/v1/calls')).json().data).toEqual([]);
    await full.close();
  });

  test('answers 503 when the media server takes too long, and leaves no orphan call', async () => {
    const { promise: slowly, resolve: answerAtLast } = Promise.withResolvers<void>();
    const create = service.rooms.create.bind(service.rooms);
    let isAsked = false;
    service.rooms.create = async (options) => {
      isAsked = true;
      await slowly;
      return create(options);
    };

    const waiting = open();
    await until(() => isAsked);
    await service.clock.pass(9_000);
    const reply = await waiting;
    answerAtLast();

    expect(reply.statusCode).toBe(503);
    await until(async () => {
      const { data } = (await service.call('GET', '/v1/calls')).json();
      return data.length === 1 && data[0].status.type === 'completed';
    });
  });
});

describe('a call', () => {
  beforeEach(start);
  afterEach(stop);

  test('has the status of its session', async () => {
    const { id } = (await open()).json();
    const find = async () => (await service.call('GET', `/v1/calls/${id}`)).json();
    const { placement } = await assignment();
    const agent = service.agents[0];
    const agentPlacement = await agent?.next('assign');
    await agent?.atRest();
    service.clock.advance(2_000);

    await agent?.started(agentPlacement!.placement);
    await service.workers[0]?.started(placement);
    const ongoing = await find();
    service.clock.advance(60_000);
    await service.workers[0]?.ended(placement, 'agent_left');
    const completed = await find();

    expect(ongoing).toMatchObject({
      status: { type: 'ongoing', started_at: '2026-01-01T12:00:02.000000+00:00' },
      started_at: '2026-01-01T12:00:02.000000+00:00',
      ended_at: null,
    });
    expect(completed).toMatchObject({
      status: {
        type: 'completed',
        started_at: '2026-01-01T12:00:02.000000+00:00',
        ended_at: '2026-01-01T12:01:02.000000+00:00',
      },
      started_at: '2026-01-01T12:00:02.000000+00:00',
      ended_at: '2026-01-01T12:01:02.000000+00:00',
    });
  });

  test('that never started has equal start and end times', async () => {
    const { id } = (await open()).json();
    const { placement } = await assignment();

    await service.workers[0]?.ended(placement, 'room_refused');

    const { status, started_at, ended_at } = (await service.call('GET', `/v1/calls/${id}`)).json();
    expect(status).toEqual({ type: 'completed', started_at, ended_at });
    expect(started_at).toBe(ended_at);
  });

  test('stays readable after its agent is deleted', async () => {
    const { id } = (await open()).json();
    const records = service.place.open();
    await records.deleteFrom('agents').execute();
    await records.destroy();

    const retrievedReply = await service.call('GET', `/v1/calls/${id}`);

    expect(retrievedReply.json()).toMatchObject({ id, agent_id: agentId });
  });

  test('returns its credentials only once', async () => {
    const { id } = (await open()).json();

    const answers = await Promise.all(
      [`/v1/calls/${id}`, '/v1/calls'].map((path) => service.call('GET', path)),
    );

    for (const reply of answers) expect(reply.payload).not.toMatch(/token|room-1/);
  });

  test('of another account is not found', async () => {
    const { id } = (await open()).json();
    const headers = { 'x-api-key': await service.strangerKey() };

    for (const path of [`/v1/calls/${id}`, `/v1/calls/${id}/messages`]) {
      expect((await service.call('GET', path, { headers })).statusCode).toBe(404);
    }
    expect((await service.call('GET', '/v1/calls', { headers })).json().data).toEqual([]);
    const strangerReply = await service.call('POST', '/v1/calls', {
      headers,
      payload: { agent_id: agentId },
    });
    expect(strangerReply.statusCode).toBe(404);
  });
});

describe('the call list', () => {
  beforeEach(start);
  afterEach(stop);

  test('is paged, most recent first, with both times of each call', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await open()).json().id);

    const firstBody = (await service.call('GET', '/v1/calls?limit=2')).json();
    const remainingBody = (
      await service.call('GET', `/v1/calls?cursor=${firstBody.next_cursor}`)
    ).json();

    expect(firstBody).toMatchObject({ has_more: true });
    expect(remainingBody).toMatchObject({ has_more: false });
    const listedCalls = [...firstBody.data, ...remainingBody.data];
    expect(listedCalls.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const call of listedCalls)
      expect(call).toMatchObject({ ended_at: null, started_at: expect.stringContaining('T') });
  });

  test('has only the calls of an agent, if it is named', async () => {
    const other = (await addAgent(service)).id;
    const list = async (query: string) => (await service.call('GET', `/v1/calls?${query}`)).json();
    const ids = [(await open()).json().id, (await open()).json().id];
    await open({ agent_id: other });

    const firstPage = await list(`agent_id=${agentId}&limit=1`);
    const cursor = firstPage.next_cursor;
    const secondPage = await list(`agent_id=${agentId}&cursor=${cursor}`);

    expect(firstPage.data).toMatchObject([{ id: ids[1] }]);
    expect(secondPage).toMatchObject({ data: [{ id: ids[0] }], has_more: false });
    const reply = await service.call('GET', `/v1/calls?agent_id=${other}&cursor=${cursor}`);
    expect(reply.statusCode).toBe(422);
  });

  test('refuses a cursor of another list', async () => {
    await open();
    await open();
    const { next_cursor } = (await service.call('GET', '/v1/sessions?limit=1')).json();

    const reply = await service.call('GET', `/v1/calls?cursor=${next_cursor}`);

    expect(reply.statusCode).toBe(422);
  });
});

describe('an invalid call', () => {
  beforeAll(start);
  afterAll(stop);

  test.each([
    { wrong: 'no agent', body: { agent_id: undefined }, loc: ['body', 'agent_id'] },
    { wrong: 'a number as agent', body: { agent_id: 7 }, loc: ['body', 'agent_id'] },
    { wrong: 'an agent with NUL', body: { agent_id: 'a\0b' }, loc: ['body', 'agent_id'] },
    { wrong: 'a name with NUL', body: { user_name: 'a\0b' }, loc: ['body', 'user_name'] },
    {
      wrong: 'a name that is too long',
      body: { user_name: 'a'.repeat(201) },
      loc: ['body', 'user_name'],
    },
    { wrong: 'an invalid email', body: { user_email: 'nobody' }, loc: ['body', 'user_email'] },
    { wrong: 'a number as tag', body: { tags: { a: 1 } }, loc: ['body', 'tags', 'a'] },
    {
      wrong: '51 tags',
      body: { tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, ''])) },
      loc: ['body', 'tags'],
    },
  ])('is refused with $wrong', async ({ body, loc }) => {
    const reply = await open(body);

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({ loc });
  });

  test.each(['nobody', '%00', '%F0%9F%98%80', 'a%2Fb'])('named %s is not found', async (id) => {
    expect((await service.call('GET', `/v1/calls/${id}`)).statusCode).toBe(404);
    expect((await service.call('GET', `/v1/calls/${id}/messages`)).statusCode).toBe(404);
  });
});
