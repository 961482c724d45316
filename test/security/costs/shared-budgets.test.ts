/* Budgets of calls whose costs reach two control planes on one database. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PLANS } from '../../../src/accounts/plan.ts';
import { changePlan, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';
import {
  answerOf,
  budgetEvents,
  limited,
  refusedBudget,
  reportCosts,
  startCall,
  visit,
  type OpenedCall,
} from '../../support/dialogue/call-costs.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';

/** Both start at noon. */
const HOURS_LEFT = 12;
const ADDRESS_TOKENS = 50_000;

const openByKey = (plane: BuiltApp, agentId: string) =>
  plane.call('POST', '/v1/calls', { payload: { agent_id: agentId } });

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('two control planes', () => {
  let redis: RedisServer;
  let place: Place;
  /** The workers are at the first one; requests of workers and callers reach both. */
  let planes: [BuiltApp, BuiltApp];
  let sink: WebhookSink;
  beforeEach(async () => {
    redis = await RedisServer.open();
    place = await newPlace();
    const env = {
      TROUPE_ADMIN_PASSWORD,
      REDIS_URL: redis.url,
      CHAT_TOKENS_PER_ADDRESS: String(ADDRESS_TOKENS),
    };
    const first = await buildApp({ place, env });
    planes = [first, await buildApp({ place, env, slots: 0 })];
    sink = await WebhookSink.open(() => first.clock.now());
    const payload = { url: sink.url, events: ['agent.budget_reached'] };
    sink.trust((await first.call('POST', '/v1/webhooks', { payload })).json().secret);
  });
  afterEach(async () => {
    for (const plane of planes) await plane.close();
    await sink.close();
    await place.remove();
    await redis.close();
  });

  /** A call that a visitor opened at one of them. */
  async function visited(at: 0 | 1, agentId: string): Promise<OpenedCall> {
    const reply = await visit(planes[at], agentId);
    expect(reply.statusCode).toBe(201);
    return startCall(planes[0], reply.json().id);
  }

  const report = (at: 0 | 1, { id }: OpenedCall, modelTokens: number) =>
    reportCosts({ app: planes[at].app, headers: planes[0].agents[0]!.headers }, id, {
      modelTokens,
    });

  /** Answers of all control planes to calls by the link, or by key. */
  const refusals = async (open: (plane: BuiltApp) => ReturnType<typeof visit>) =>
    (await Promise.all(planes.map(open))).map(answerOf);

  /** Events that the receiver got, after both have sent what they had to send. */
  async function sent() {
    const received = () =>
      sink.received.flatMap(({ payload }) =>
        payload.type === 'agent.budget_reached' ? [payload.data] : [],
      );
    const { length } = await budgetEvents(planes[0]);
    for (const { clock } of planes) clock.advance(1_000);
    await sink.when(() => received().length >= length);
    // Several polls. After a minute, each control plane asks the other for its sessions. If that
    // one has closed, the first never closes, because its clock stands still.
    for (const { clock } of planes) await clock.pass(5_000);
    return received();
  }

  test.each([
    ['link_day', limited({ linkDay: { modelTokens: 1_000 } }), 1_000],
    ['day', limited({ day: { modelTokens: 1_000 } }), 1_000],
    ['address_day', {}, ADDRESS_TOKENS],
  ])('sum what counts against %s, and refuse calls beyond it', async (budget, limits, limit) => {
    const { id } = await addAgent(planes[0], limits);
    const calls = [await visited(0, id), await visited(1, id)] as const;

    await report(0, calls[0], limit / 2 - 10);
    expect((await report(1, calls[1], limit / 2)).modelTokens).toBe(10);
    expect((await report(1, calls[0], limit / 2)).modelTokens).toBe(0);

    const refused = refusedBudget(HOURS_LEFT);
    expect(await refusals((plane) => visit(plane, id))).toEqual([refused, refused]);
    expect(await sent()).toMatchObject([{ budget, unit: 'model_tokens', limit }]);
  });

  test('sum the calls of an account by the limit of its plan', async () => {
    const limit = PLANS.creator.modelTokensPerDay;
    await changePlan(planes[0], 'creator');
    const { id } = await addAgent(
      planes[0],
      limited({ call: { modelTokens: limit }, day: { modelTokens: limit * 2 } }),
    );
    const calls: OpenedCall[] = [];
    for (const plane of planes)
      calls.push(await startCall(planes[0], (await openByKey(plane, id)).json().id));

    for (const [at, call] of calls.entries()) await report(at as 0 | 1, call, limit / 2);

    const refused = refusedBudget(HOURS_LEFT);
    expect(await refusals((plane) => openByKey(plane, id))).toEqual([refused, refused]);
    expect(await sent()).toMatchObject([{ budget: 'account_day', limit }]);
  });

  test('count a call once that reports to both at the same time', async () => {
    const { id } = await addAgent(planes[0], limited({ call: { modelTokens: 1_000 } }));
    const call = await visited(1, id);

    const totals = [100, 300, 200, 300, 100, 300];
    await Promise.all(
      totals.map((modelTokens, at) => report((at % 2) as 0 | 1, call, modelTokens)),
    );

    expect((await report(1, call, 300)).modelTokens).toBe(700);
  });

  test('send one event for a budget that several calls use up at the same time', async () => {
    const { id } = await addAgent(planes[0], limited({ linkDay: { modelTokens: 1_000 } }));
    const calls: OpenedCall[] = [];
    for (let count = 0; count < 4; count += 1) calls.push(await visited((count % 2) as 0 | 1, id));

    for (const total of [100, 250, 400])
      await Promise.all(calls.map((call, at) => report((at % 2) as 0 | 1, call, total)));

    const event = { agent_id: id, budget: 'link_day', unit: 'model_tokens', limit: 1_000 };
    expect(await sent()).toMatchObject([event]);
    const counts = await Promise.all(
      planes.map(async (plane) => (await plane.call('GET', '/metrics')).body),
    );
    const line = 'troupe_budgets_reached_total{budget="link_day",unit="model_tokens"} 1';
    expect(counts.filter((text) => text.includes(line))).toHaveLength(1);
  });

  test('count the length of an ended call once', async () => {
    const { id } = await addAgent(planes[0], limited({ day: { seconds: 60 } }));
    const call = await visited(1, id);
    for (const { clock } of planes) clock.advance(30_000);
    expect((await report(0, call, 0)).seconds).toBe(30);

    await planes[0].agents[0]!.ended(call.conversation, 'room_empty');
    await until(async () => {
      for (const { clock } of planes) await clock.pass(500);
      return (await planes[0].call('GET', `/v1/calls/${call.id}`)).json().evaluation;
    });

    const other = await visited(0, id);
    expect((await report(1, other, 0)).seconds).toBe(30);
  });
});
