/* Budgets that hold whatever visitors, workers and repeated requests do. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  briefPath,
  linePath,
  spendingPath,
  type CallBrief,
  type CallSpending,
} from '#protocol/call-brief.ts';
import {
  answerOf,
  budgetEvents,
  limited,
  refusedBudget,
  reportCosts,
  startCall,
  visit as visitLink,
  type OpenedCall,
} from '../../support/dialogue/call-costs.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { ModelServer } from '../../support/agents/model-server.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

const visit = (agentId: string, remoteAddress?: string) =>
  visitLink(service, agentId, remoteAddress);

/** A call that a visitor opened by the link. */
async function visited(agentId: string, remoteAddress?: string): Promise<OpenedCall> {
  const reply = await visit(agentId, remoteAddress);
  expect(reply.statusCode).toBe(201);
  return startCall(service, reply.json().id);
}

const openByKey = (agentId: string) =>
  service.call('POST', '/v1/calls', { payload: { agent_id: agentId } });

const ofWorker = (method: 'GET' | 'PUT', url: string, payload?: object) =>
  service.app.server.inject({
    method,
    url,
    headers: service.agents[0]!.headers,
    ...(payload && { payload }),
  });

const report = ({ id }: OpenedCall, totals: Partial<CallSpending>) =>
  reportCosts({ app: service.app, headers: service.agents[0]!.headers }, id, totals);

const say = ({ id }: OpenedCall, lineId: string, sender: 'ai' | 'user', text: string) =>
  ofWorker('PUT', linePath(id, lineId), { sender, text, agoMs: 0 });

/** The end of a call and what follows it. */
async function end({ id, conversation }: OpenedCall): Promise<void> {
  await service.agents[0]!.ended(conversation, 'room_empty');
  await until(async () => {
    await service.clock.pass(500);
    return (await service.call('GET', `/v1/calls/${id}`)).json().evaluation;
  });
}

/** Counted in the records. */
async function tokensOf({ id }: OpenedCall): Promise<number> {
  const records = service.place.open();
  const { model_tokens: tokens } = await records
    .selectFrom('spending')
    .select('model_tokens')
    .where('name', '=', `call ${id}`)
    .executeTakeFirstOrThrow();
  await records.destroy();
  return tokens;
}

const subscribe = () =>
  service.call('POST', '/v1/webhooks', {
    payload: { url: 'https://127.0.0.1:9/', events: ['agent.budget_reached'] },
  });

/** Noon, so that twelve hours are left of the day. */
const HOURS_LEFT = 12;

describe('the budget of an agent’s link', () => {
  test('closes the link for the day, not the agent', async () => {
    const { id } = await addAgent(service, limited({ linkDay: { modelTokens: 1_000 } }));
    await report(await visited(id), { modelTokens: 1_000 });

    expect(answerOf(await visit(id, '203.0.113.2'))).toEqual(refusedBudget(HOURS_LEFT));
    expect((await openByKey(id)).statusCode).toBe(201);
    service.clock.advance(DAY_MS);
    expect((await visit(id)).statusCode).toBe(201);
  });

  test('holds for a private agent', async () => {
    const { id } = await addAgent(service, limited({ linkDay: { speechCharacters: 100 } }));
    await report(await visited(id), { speechCharacters: 200 });
    await service.call('POST', `/v1/agents/${id}/link-secret`);

    expect((await visit(id)).statusCode).toBe(401);
    await service.call('DELETE', `/v1/agents/${id}/link-secret`);
    expect(answerOf(await visit(id))).toEqual(refusedBudget(HOURS_LEFT));
  });

  test('counts calls that an older version opened during an upgrade', async () => {
    const { id } = await addAgent(service, limited({ linkDay: { modelTokens: 1_000 } }));
    const call = await visited(id);
    const records = service.place.open();
    await records.deleteFrom('spending').execute();
    await records.destroy();

    expect((await report(call, { modelTokens: 1_000 })).modelTokens).toBe(0);

    expect(answerOf(await visit(id))).toEqual(refusedBudget(HOURS_LEFT));
  });

  test('is told to the worker of an open call, which another call used up', async () => {
    const { id } = await addAgent(service, limited({ linkDay: { modelTokens: 1_000 } }));
    const [firstCall, secondCall] = [await visited(id), await visited(id)];

    expect((await report(firstCall, { modelTokens: 400 })).modelTokens).toBe(600);
    expect((await report(secondCall, { modelTokens: 700 })).modelTokens).toBe(-100);
    expect((await report(firstCall, { modelTokens: 400 })).modelTokens).toBe(-100);
  });
});

describe('the budget of all calls of an agent', () => {
  test('refuses calls by key too', async () => {
    const { id } = await addAgent(service, limited({ day: { modelTokens: 1_000 } }));
    await report(await visited(id), { modelTokens: 1_000 });

    expect(answerOf(await openByKey(id))).toEqual(refusedBudget(HOURS_LEFT));
    expect(answerOf(await visit(id))).toEqual(refusedBudget(HOURS_LEFT));
  });

  test('counts the length of calls', async () => {
    const { id } = await addAgent(service, limited({ day: { seconds: 60 } }));
    const call = await visited(id);
    service.clock.advance(45_000);

    expect((await report(call, {})).seconds).toBe(15);
    service.clock.advance(15_000);
    expect((await report(call, {})).seconds).toBe(0);

    expect((await visit(id)).json().code).toBe('budget_reached');
  });

  test('counts the length of calls that nobody reports', async () => {
    const { id } = await addAgent(service, limited({ day: { seconds: 30 } }));
    const call = await visited(id);
    service.clock.advance(31_000);

    await end(call);

    expect((await visit(id)).json().code).toBe('budget_reached');
  });
});

describe('other budgets', () => {
  test('that of a visitor’s address holds for all agents', async () => {
    await service.close();
    service = await buildApp({ env: { CHAT_TOKENS_PER_ADDRESS: '1000' } });
    const [firstAgent, secondAgent] = [await addAgent(service), await addAgent(service)];
    await report(await visited(firstAgent.id), { modelTokens: 1_000 });

    expect(answerOf(await visit(secondAgent.id))).toEqual(refusedBudget(HOURS_LEFT));
    expect((await visit(secondAgent.id, '203.0.113.2')).statusCode).toBe(201);
    expect((await openByKey(firstAgent.id)).statusCode).toBe(201);
  });

  test('that of an account follows its plan', async () => {
    const owner = await makeAccount(service, 'free');
    const agent = await service.call('POST', '/v1/agents', {
      headers: owner.headers,
      payload: { name: 'Ada', avatar_id: NORA, limits: { call: { model_tokens: 1_000_000_000 } } },
    });
    const call = await visited(agent.json().id);
    await report(call, { modelTokens: 1_000_000 });
    await service.agents[0]!.ended(call.conversation, 'room_empty');
    await until(async () => (await visit(agent.json().id)).json().code !== 'concurrency_limit');

    expect(answerOf(await visit(agent.json().id, '203.0.113.2')).code).toBe('budget_reached');
  });

  test('that of a call is left to the worker’s successor', async () => {
    const { id } = await addAgent(service, limited({ call: { modelTokens: 1_000 } }));
    const call = await visited(id);
    await report(call, { modelTokens: 900, speechCharacters: 50, texts: 2 });

    const { budget } = (await ofWorker('GET', briefPath(call.id))).json<CallBrief>();

    expect(budget).toMatchObject({
      spent: { modelTokens: 900, speechCharacters: 50, texts: 2 },
      left: { modelTokens: 100 },
    });
  });
});

describe('what is counted', () => {
  test('is not counted twice, and never less', async () => {
    const { id } = await addAgent(service, limited({ day: { modelTokens: 1_000 } }));
    const call = await visited(id);

    for (let count = 0; count < 3; count += 1) await report(call, { modelTokens: 300 });
    const late = await report(call, { modelTokens: 100 });

    expect(late.modelTokens).toBe(700);
  });

  test('is complete when many calls report at once', async () => {
    const { id } = await addAgent(service, limited({ day: { modelTokens: 1_000 } }));
    const calls: OpenedCall[] = [];
    for (let count = 0; count < 5; count += 1) calls.push(await visited(id));

    await Promise.all(calls.map((call) => report(call, { modelTokens: 150 })));

    expect((await report(calls[0]!, { modelTokens: 150 })).modelTokens).toBe(250);
  });

  test('includes a call whose worker never reported', async () => {
    const payload = {
      type: 'openai_compatible_llm',
      name: 'Model',
      url: 'http://127.0.0.1:9/v1',
      api_key: 'sk',
    };
    const api = (await service.call('POST', '/v1/external-apis', { payload })).json();
    const { id } = await addAgent(service, {
      llm: { type: 'openai_compatible', apiId: api.id, model: 'm', temperature: 0 },
      ...limited({ linkDay: { modelTokens: 2_000 } }),
    });
    const call = await visited(id);
    for (let at = 0; at < 4; at += 1) await say(call, `line-${at}`, 'user', 'lamps '.repeat(300));

    await end(call);

    expect((await visit(id)).json().code).toBe('budget_reached');
  });

  test('includes texts of a visitor in several calls', async () => {
    const { id } = await addAgent(service);
    const [firstCall, secondCall] = [await visited(id), await visited(id)];

    expect((await report(firstCall, { texts: 40 })).texts).toBe(20);
    expect((await report(secondCall, { texts: 20 })).texts).toBe(0);
    expect((await report(await visited(id, '203.0.113.2'), { texts: 1 })).texts).toBe(59);
    service.clock.advance(600_000);
    expect((await report(secondCall, { texts: 21 })).texts).toBe(59);
  });

  test('includes evaluations, which go without the model when nothing is left', async () => {
    const model = await ModelServer.open();
    const payload = {
      type: 'openai_compatible_llm',
      name: 'Model',
      url: model.url,
      api_key: 'sk',
    };
    const api = (await service.call('POST', '/v1/external-apis', { payload })).json();
    const { id } = await addAgent(service, {
      llm: { type: 'openai_compatible', apiId: api.id, model: 'm', temperature: 0 },
      ...limited({ call: { modelTokens: 1_000 } }),
    });
    const call = await visited(id);
    await say(call, 'line', 'user', 'How much are lamps?');
    await report(call, { modelTokens: 1_000 });

    await end(call);
    await model.close();

    expect(model.requests).toEqual([]);
    const { evaluation } = (await service.call('GET', `/v1/calls/${call.id}`)).json();
    expect(evaluation).toMatchObject({ evaluated_by: 'rules' });
    expect(await tokensOf(call)).toBe(1_000);
  });
});

describe('a budget that is used up', () => {
  test('is reported once, with what a person needs to know', async () => {
    await subscribe();
    const { id } = await addAgent(
      service,
      limited({ call: { speechCharacters: 100 }, linkDay: { modelTokens: 1_000 } }),
    );
    const call = await visited(id);

    for (const modelTokens of [999, 1_000, 1_001, 5_000])
      await report(call, { modelTokens, speechCharacters: 90 });
    await report(call, { modelTokens: 5_000, speechCharacters: 101 });

    expect(await budgetEvents(service)).toEqual([
      {
        agent_id: id,
        call_id: call.id,
        budget: 'link_day',
        unit: 'model_tokens',
        limit: 1_000,
        resets_at: '2026-01-02T00:00:00.000000+00:00',
      },
      {
        agent_id: id,
        call_id: call.id,
        budget: 'call',
        unit: 'speech_characters',
        limit: 100,
        resets_at: null,
      },
    ]);
  });
});

describe('spending reports', () => {
  test('are taken from the worker that holds the call only', async () => {
    const { id } = await addAgent(service);
    const call = await visited(id);
    const stranger = await service.joinAgent();
    const payload = { modelTokens: 1, speechCharacters: 1, texts: 1 };
    const send = (headers: Record<string, string>) =>
      service.app.server.inject({ method: 'PUT', url: spendingPath(call.id), payload, headers });

    expect((await send({ ...stranger.headers })).statusCode).toBe(404);
    expect((await send({ authorization: 'Bearer a guess' })).statusCode).toBe(401);
  });

  test.each([-1, 1.5, 1e300, '1', null])('of %s tokens are refused', async (modelTokens) => {
    const { id } = await addAgent(service);
    const call = await visited(id);

    const reply = await ofWorker('PUT', spendingPath(call.id), {
      modelTokens,
      speechCharacters: 0,
      texts: 0,
    });

    expect(reply.statusCode).toBe(422);
  });
});
