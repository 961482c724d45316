import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Browser, personOf } from '../../support/api/browser.ts';
import { buildApp, NORA, roomToken, type BuiltApp } from '../../support/api/build-app.ts';
import { FakeAgentRooms } from '../../support/fleet/fake-agent-rooms.ts';

let agentRooms: FakeAgentRooms;
let service: BuiltApp;
beforeEach(async () => {
  agentRooms = new FakeAgentRooms();
  service = await buildApp({ otherRooms: { agentRooms } });
});
afterEach(() => service.close());

const ROOMS = '/v1/playground/rooms';
const open = async (agent_name = '') =>
  (await service.call('POST', ROOMS, { payload: { agent_name } })).json() as {
    name: string;
    token: string;
  };
const findings = async (name: string) => (await service.call('GET', `${ROOMS}/${name}`)).json();

describe('rooms of the playground', () => {
  test('are opened with a token of their own', async () => {
    const reply = await service.call('POST', ROOMS, { payload: { agent_name: 'helper' } });

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json()).toEqual({
      url: 'wss://media.example',
      name: 'playground-0',
      token: 'token of playground-0',
    });
  });

  test('tell what became of the requests for an agent', async () => {
    const { name } = await open('helper');
    const at = service.clock.now() - 4_000;
    const jobs = [{ status: 'running', error: '' } as const];
    agentRooms.requests = [{ agentName: 'helper', at, jobs }];

    expect(await findings(name)).toEqual({
      dispatches: [
        {
          agent_name: 'helper',
          age_ms: 4_000,
          jobs: [{ status: 'running', error: '' }],
          refusal: null,
        },
      ],
      sessions: [],
      refusals: [],
    });
  });

  test('tell their sessions, and no others', async () => {
    const { name } = await open();
    const session = async (room: string) => {
      const token = await roomToken({ roomJoin: true, room });
      const payload = { avatar_id: NORA, url: 'ws://127.0.0.1:7880', token };
      return (await service.call('POST', '/v1/sessions', { payload })).json();
    };
    const { id } = await session(name);
    await session('another-room');
    await service.call('POST', `/v1/sessions/${id}/end`);

    expect(await findings(name)).toMatchObject({
      sessions: [{ id, status: 'completed', end_reason: 'ended_by_client', end_detail: null }],
    });
  });

  test('tell the sessions that were refused', async () => {
    const { name } = await open();
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: 'nobody' } });
    await service.call('POST', '/v1/sessions', { payload: {} });

    expect(await findings(name)).toMatchObject({
      refusals: [
        { status: 422, detail: 'avatar_id: Field required' },
        { status: 404, detail: expect.stringContaining('not found') },
      ],
    });
  });

  test('ask for an agent again', async () => {
    const { name } = await open();

    const payload = { agent_name: 'helper' };
    const reply = await service.call('POST', `${ROOMS}/${name}/dispatches`, { payload });

    expect(reply.statusCode).toBe(204);
    expect((await findings(name)).dispatches).toMatchObject([
      { agent_name: 'helper' },
      { agent_name: '' },
    ]);
  });

  test('are closed by their visitor', async () => {
    const { name } = await open();

    expect((await service.call('DELETE', `${ROOMS}/${name}`)).statusCode).toBe(204);
    expect(agentRooms.closed).toEqual([name]);
  });

  test('say when the media server has closed them', async () => {
    const { name } = await open();
    agentRooms.requests = null;

    expect(await findings(name)).toMatchObject({ dispatches: null });
  });

  test('are not open to other accounts', async () => {
    const { name } = await open();
    const headers = { 'x-api-key': await service.strangerKey() };

    const read = await service.call('GET', `${ROOMS}/${name}`, { headers });
    const payload = { agent_name: '' };
    const ask = await service.call('POST', `${ROOMS}/${name}/dispatches`, { headers, payload });
    const close = await service.call('DELETE', `${ROOMS}/${name}`, { headers });

    expect([read, ask, close].map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    expect(agentRooms.closed).toEqual([]);
  });

  test('need a media server that answers', async () => {
    const { name } = await open();
    agentRooms.isAnswering = false;

    const payload = { agent_name: '' };
    expect((await service.call('POST', ROOMS, { payload })).statusCode).toBe(503);
    expect((await service.call('GET', `${ROOMS}/${name}`)).statusCode).toBe(503);
  });

  test('are open to builders, not to viewers', async () => {
    const owner = await new Browser(service).openHere();
    const [builder, viewer] = [
      await personOf(service, owner, 'builder'),
      await personOf(service, owner, 'viewer'),
    ];

    expect((await builder.call('POST', ROOMS, { agent_name: '' })).statusCode).toBe(201);
    expect((await viewer.call('POST', ROOMS, { agent_name: '' })).statusCode).toBe(403);
  });
});

test('a service without a media server has no rooms for agents', async () => {
  const without = await buildApp();

  const reply = await without.call('POST', ROOMS, { payload: { agent_name: '' } });
  await without.close();

  expect(reply.statusCode).toBe(501);
  expect(reply.json().detail).toContain('no media server of its own');
});
