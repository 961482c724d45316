/* Two control planes with one Redis and the same records do each of these once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, BUILT_IN, NORA, roomToken, WORKER_TOKEN } from '../../support/api/build-app.ts';
import { formOf } from '../../support/api/form.ts';
import { sound } from '../../support/api/photo-avatars.ts';
import { hasRedis } from '../../support/records/redis.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../../support/fleet/two-control-planes.ts';
import { until } from '../../support/until.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';

const HOUR_S = 3_600;
const SLOTS = 30;

type Made = { id: string; status: unknown };

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('two control planes', () => {
  let two: TwoControlPlanes;
  let workers: SimulatedWorker[];
  let sink: WebhookSink;
  beforeAll(async () => {
    sink = await WebhookSink.open();
    two = await startTwoControlPlanes({ ALLOWED_NETWORKS: '127.0.0.0/8' });
    workers = await Promise.all(
      two.planes.map(({ url }) =>
        new SimulatedWorker({
          url,
          token: WORKER_TOKEN,
          avatars: BUILT_IN,
          abilities: ['bundles', 'builds'],
          slots: SLOTS,
        }).join(),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all((workers ?? []).map((worker) => worker.close()));
    await two?.close();
    await sink?.close();
  });

  async function post(planeIndex: number, path: string, body: object, extraHeaders: object = {}) {
    const response = await fetch(`${two.planes[planeIndex]!.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...extraHeaders },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Made };
  }

  async function get(planeIndex: number, path: string): Promise<unknown> {
    const headers = { 'x-api-key': API_KEY };
    return (await fetch(`${two.planes[planeIndex]!.url}${path}`, { headers })).json();
  }

  let tokens = 0;
  async function newRequest(): Promise<object> {
    const exp = Math.floor(Date.now() / 1_000) + HOUR_S;
    const token = await roomToken(undefined, { exp, jti: String((tokens += 1)) });
    return { avatar_id: NORA, url: 'wss://media.example', token };
  }

  const assignments = () =>
    workers.flatMap(({ messages }) => messages.filter(({ type }) => type === 'assign'));
  const performerOf = (id: string) => workers.find(({ performing }) => performing.has(id));

  test('create one session for a request with an idempotency key that both receive at once', async () => {
    const assignedBefore = assignments().length;
    for (let round = 1; round <= 8; round++) {
      const request = await newRequest();
      const key = { 'idempotency-key': `round-${round}` };

      const answers = await Promise.all([
        post(0, '/v1/sessions', request, key),
        post(1, '/v1/sessions', request, key),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[1].body.id).toBe(answers[0].body.id);
      await until(() => performerOf(answers[0].body.id));
      await post(round % 2, `/v1/sessions/${answers[0].body.id}/end`, {});
    }

    expect(assignments().length - assignedBefore).toBe(8);
  });

  test('deliver each session’s webhooks once', async () => {
    const events = ['session.started', 'session.ended'];
    const { body: webhook } = await post(0, '/v1/webhooks', { url: sink.url, events });
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const { body } = await post(i % 2, '/v1/sessions', await newRequest());
      ids.push(body.id);
    }
    await until(() => ids.every(performerOf));

    await Promise.all(
      ids.map(async (id, i) => {
        const worker = performerOf(id)!;
        await worker.started(worker.performing.get(id)!.placement);
        await post(i % 2, `/v1/sessions/${id}/end`, {});
      }),
    );
    const settled = async () => {
      const path = `/v1/webhooks/${webhook.id}/deliveries?limit=50`;
      const { data } = (await get(1, path)) as { data: { status: string }[] };
      return data.length >= 2 * ids.length && data.every(({ status }) => status === 'delivered');
    };
    await until(settled);

    // The end of another test's session may be delivered as well.
    const receivedEvents = sink.received
      .filter(({ payload }) => ids.includes(String(payload.data['id'])))
      .map(({ payload }) => `${payload.type} ${String(payload.data['id'])}`);
    const expected = ids.flatMap((id) => events.map((type) => `${type} ${id}`));
    expect(receivedEvents.toSorted()).toEqual(expected.toSorted());
  });

  test('build an avatar once', async () => {
    const avatars: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { headers, payload } = await formOf(sound());
      const response = await fetch(`${two.planes[i]!.url}/v1/avatars`, {
        method: 'POST',
        headers: { 'x-api-key': API_KEY, ...headers },
        body: payload,
      });
      expect(response.status).toBe(201);
      avatars.push(((await response.json()) as Made).id);
    }

    // Each worker builds one avatar at a time: when both are busy, each has one of the avatars.
    await until(() => workers.every(({ building }) => building));

    const builds = workers.flatMap(({ messages }) =>
      messages.flatMap((message) => (message.type === 'build' ? [message.placement] : [])),
    );
    expect(builds.map(({ epoch }) => epoch)).toEqual([1, 1]);
    expect(new Set(builds.map(({ avatarId }) => avatarId))).toEqual(new Set(avatars));
  });
});
