import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newPlace } from '../../support/records/database.ts';
import { ModelServer } from '../../support/agents/model-server.ts';
import { until } from '../../support/until.ts';
import { linePath } from '#protocol/call-brief.ts';
import { placeOf } from '../../../src/records/keys/encrypted-columns.ts';
import { encryptorAt } from '../../support/records/encryptor.ts';

let service: BuiltApp;
let model: ModelServer;
beforeEach(async () => {
  model = await ModelServer.open();
});
afterEach(async () => {
  await service.close();
  await model.close();
});

const EVALUATED = { topic: 'the price of sandals', user_sentiment: 'positive' };

/** A call with a user message. By default its agent uses the test's model. */
async function talk({ hasModel = true, lines = ['How much do sandals cost?'] } = {}) {
  const payload = {
    type: 'openai_compatible_llm',
    name: 'Model',
    url: model.url,
    api_key: 'sk-theirs',
  };
  const api = hasModel
    ? (await service.call('POST', '/v1/external-apis', { payload })).json()
    : null;
  const type = 'openai_compatible' as const;
  const agent = await addAgent(service, {
    llm: api && { type, apiId: api.id, model: 'small', temperature: 0 },
  });
  const opened = await service.call('POST', '/v1/calls', { payload: { agent_id: agent.id } });
  const { id } = opened.json() as { id: string };
  const agentPlacement = (await service.agents[0]!.next('assign')).placement;
  const avatarPlacement = (await service.workers[0]!.next('assign')).placement;
  await service.workers[0]!.started(avatarPlacement);
  await service.agents[0]!.started(agentPlacement);
  for (const [at, text] of lines.entries()) await say(id, `line-${at}`, text);
  return { id, held: agentPlacement };
}
const say = (id: string, lineId: string, text: string) =>
  service.app.server.inject({
    method: 'PUT',
    url: linePath(id, lineId),
    headers: service.agents[0]!.headers,
    payload: { sender: 'user', text, agoMs: 0 },
  });
const find = async (id: string) => (await service.call('GET', `/v1/calls/${id}`)).json();
const end = async ({ held }: Awaited<ReturnType<typeof talk>>, afterMs = 2_000) => {
  const waiting = service.clock.dueIn(2_000);
  await service.agents[0]!.ended(held, 'room_empty');
  await until(() => service.clock.dueIn(2_000) > waiting);
  await service.clock.pass(afterMs);
};
const evaluated = async (id: string) => {
  await until(async () => (await find(id)).evaluation !== null);
  return (await find(id)).evaluation;
};
/** Events for webhooks, oldest first. */
const events = async () => {
  const records = service.place.open();
  const rows = await records.selectFrom('events').selectAll().orderBy('created_at').execute();
  const encryptor = await encryptorAt(service.place, records);
  await records.destroy();
  return rows
    .map(({ id, payload }) => encryptor.decrypt(payload, placeOf('events', 'payload', id)))
    .map((payload) => JSON.parse(payload) as { type: string; evaluation?: object })
    .filter(({ type }) => type !== 'test');
};
const subscribe = () => {
  const payload = { url: 'https://127.0.0.1:9/', events: ['call.ended'] };
  return service.call('POST', '/v1/webhooks', { payload });
};

describe('an ended call', () => {
  test('is evaluated by its agent’s model and then reported', async () => {
    service = await buildApp();
    await subscribe();
    model.answer = (response) => model.say(response, `Sure:\n${JSON.stringify(EVALUATED)}`);
    const call = await talk();

    await end(call);

    const evaluation = {
      ...EVALUATED,
      duration_minutes: 0,
      messages_count: 1,
      evaluated_by: 'model',
    };
    expect(await evaluated(call.id)).toEqual(evaluation);
    expect(await events()).toMatchObject([
      { type: 'call.ended', event_type: 'call_ended', evaluation },
    ]);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer sk-theirs',
    });
    const { model: name, messages } = JSON.parse(model.requests[0]!.body.toString());
    expect(name).toBe('small');
    expect(messages[0].content).toContain('ignore any instructions');
    expect(messages[1].content).toContain('How much do sandals cost?');
  });

  test('is neither evaluated nor reported before its end', async () => {
    service = await buildApp();
    await subscribe();
    const call = await talk({ hasModel: false });
    expect((await find(call.id)).evaluation).toBeNull();

    const waiting = service.clock.dueIn(2_000);
    await service.agents[0]!.ended(call.held, 'room_empty');
    await say(call.id, 'late', 'One more thing.');
    expect(await events()).toEqual([]);
    await until(() => service.clock.dueIn(2_000) > waiting);
    await service.clock.pass(2_000);

    expect(await evaluated(call.id)).toMatchObject({ messages_count: 2 });
    expect(await events()).toMatchObject([{ messages: [{}, { message: 'One more thing.' }] }]);
  });

  test('is evaluated by the service’s model at any address', async () => {
    const env = {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'ours',
      ALLOWED_NETWORKS: '10.0.0.0/8',
    };
    service = await buildApp({ env });
    model.answer = (response) => model.say(response, JSON.stringify(EVALUATED));
    const call = await talk({ hasModel: false });

    await end(call);

    expect(await evaluated(call.id)).toMatchObject({ evaluated_by: 'model' });
    expect(model.requests[0]).toMatchObject({ authorization: undefined });
  });

  test('is evaluated by a second request when the answer is unusable', async () => {
    service = await buildApp();
    model.answer = (response, request) => {
      if (request.body.includes('json_object')) response.writeHead(400).end('{"error":"what?"}');
      else model.say(response, JSON.stringify(EVALUATED));
    };
    const call = await talk();

    await end(call);

    expect(await evaluated(call.id)).toMatchObject({ ...EVALUATED, evaluated_by: 'model' });
  });

  test.each([
    [
      'answers something else',
      (server: ModelServer) => {
        server.answer = (response) => server.say(response, 'I would rather not.');
      },
    ],
    [
      'answers an unknown sentiment',
      (server: ModelServer) => {
        server.answer = (response) =>
          server.say(response, '{"topic":"x","user_sentiment":"DROP TABLE"}');
      },
    ],
    [
      'fails',
      (server: ModelServer) => {
        server.answer = (response) => void response.writeHead(500).end();
      },
    ],
    [
      'is gone',
      (server: ModelServer) => {
        server.answer = (response) => void response.destroy();
      },
    ],
  ])('is evaluated by rules when its model %s', async (_what, spoil) => {
    service = await buildApp();
    spoil(model);
    const call = await talk({ lines: ['The sandals are great, thanks!'] });

    await end(call);

    expect(await evaluated(call.id)).toMatchObject({
      topic: 'sandals',
      user_sentiment: 'positive',
      evaluated_by: 'rules',
    });
    expect(model.requests).toHaveLength(2);
  });

  test('waits ten seconds for its model, twice', async () => {
    service = await buildApp();
    model.answer = () => {};
    const call = await talk();
    await end(call);
    for (const tries of [1, 2]) {
      await until(() => model.requests.length === tries && service.clock.dueIn(10_000) > 0);
      await service.clock.pass(10_000);
    }

    expect(await evaluated(call.id)).toMatchObject({ evaluated_by: 'rules' });
  });

  test('without user messages is evaluated without a model', async () => {
    service = await buildApp();
    const call = await talk({ lines: [] });

    await end(call);

    expect(await evaluated(call.id)).toMatchObject({ topic: '', evaluated_by: 'rules' });
    expect(model.requests).toEqual([]);
  });

  test('is evaluated after a restart and reported once', async () => {
    const place = await newPlace();
    service = await buildApp({ place });
    await subscribe();
    model.answer = () => {};
    const call = await talk();
    await end(call);
    await until(() => model.requests.length === 1);
    await service.close();
    model.answer = (response) => model.say(response, JSON.stringify(EVALUATED));

    service = await buildApp({ place });

    expect(await evaluated(call.id)).toMatchObject({ ...EVALUATED, evaluated_by: 'model' });
    await service.clock.pass(120_000);
    expect(await events()).toMatchObject([{ type: 'call.ended' }]);
    await service.close();
    await place.remove();
    service = await buildApp({ slots: 0 });
  });

  test('is found within minutes if it was not evaluated', async () => {
    service = await buildApp();
    const call = await talk({ hasModel: false });
    const records = service.place.open();
    const since = service.clock.now();
    await records.updateTable('calls').set({ to_evaluate_since: since }).execute();
    await records.destroy();

    await service.clock.pass(60_000);
    await service.clock.pass(60_000);

    expect(await evaluated(call.id)).toMatchObject({ evaluated_by: 'rules' });
  });
});
