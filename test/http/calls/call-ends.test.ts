import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let agentId: string;
beforeEach(async () => {
  service = await buildApp();
  agentId = (await addAgent(service)).id;
});
afterEach(() => service.close());

const begin = async () => {
  const call = (await service.call('POST', '/v1/calls', { payload: { agent_id: agentId } })).json<{
    id: string;
    session_id: string;
  }>();
  const [worker] = service.workers;
  await worker!.started((await worker!.next('assign')).placement);
  const conversation = (await service.agents[0]!.next('assign')).placement;
  return { call, conversation };
};
const usage = async () => (await service.call('GET', '/v1/usage')).json();

describe('a call', () => {
  test('is ended by its owner, once', async () => {
    const { call } = await begin();
    await service.clock.pass(5_000);

    const ended = await service.call('POST', `/v1/calls/${call.id}/end`);
    const repeatedReply = await service.call('POST', `/v1/calls/${call.id}/end`);

    expect([ended.statusCode, repeatedReply.statusCode]).toEqual([200, 200]);
    expect(ended.json()).toMatchObject({
      id: call.id,
      status: { type: 'completed', ended_at: '2026-01-01T12:00:05.000000+00:00' },
    });
    expect(repeatedReply.json().status).toEqual(ended.json().status);
    const session = await service.call('GET', `/v1/sessions/${call.session_id}`);
    expect(session.json()).toMatchObject({ end_reason: 'ended_by_client' });
    await until(() => service.rooms.open.size === 0);
  });

  test('gives its user another token while it is open, and none later', async () => {
    const { call } = await begin();
    const renewToken = () => service.call('POST', `/v1/calls/${call.id}/token`);

    const renewed = await renewToken();
    await service.call('POST', `/v1/calls/${call.id}/end`);
    const late = await renewToken();

    const token = `user-${call.id} of room-1, renewal 1`;
    const url = 'wss://media.example';
    expect(renewed.statusCode).toBe(201);
    expect(renewed.json()).toEqual({
      mediaserver_url: url,
      mediaserver_token: token,
      livekit_url: url,
      livekit_token: token,
    });
    expect([late.statusCode, late.json().detail]).toEqual([409, 'The call is over.']);
  });

  test('of another account is not found and goes on', async () => {
    const { call } = await begin();
    const headers = { 'x-api-key': await service.strangerKey() };

    const refused = await service.call('POST', `/v1/calls/${call.id}/end`, { headers });

    expect(refused.statusCode).toBe(404);
    const retrievedReply = await service.call('GET', `/v1/calls/${call.id}`);
    expect(retrievedReply.json().status.type).toBe('ongoing');
  });

  test('without a user has no length and costs nothing', async () => {
    const { call, conversation } = await begin();
    await service.clock.pass(2_000);
    await service.agents[0]?.started(conversation);
    await service.clock.pass(60_000);
    const usageBefore = await usage();

    await service.agents[0]?.ended(conversation, 'room_empty', 24 * 60 * 60_000);

    const retrievedBody = (await service.call('GET', `/v1/calls/${call.id}`)).json();
    expect(retrievedBody.status).toEqual({
      type: 'completed',
      started_at: '2026-01-01T12:00:00.000000+00:00',
      ended_at: '2026-01-01T12:00:00.000000+00:00',
    });
    expect(usageBefore).not.toMatchObject({ minutes_used: 0 });
    expect(await usage()).toMatchObject({ minutes_used: 0 });
  });
});
