import { randomBytes } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import {
  avatarReady,
  budgetReached,
  callEnded,
  callRated,
  callStarted,
  EVENT_TYPES,
  qualityChanged,
  messageAdded,
  sessionChanged,
} from '../../../src/events/events.ts';
import { createOutbox } from '../../../src/records/webhooks/outbox.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';
import { WebhookCalls, type Delivery } from '../../support/api/webhook-calls.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';
import { encryptorAt } from '../../support/records/encryptor.ts';

let service: BuiltApp;
let webhooks: WebhookCalls;
let sink: WebhookSink;

beforeAll(async () => {
  service = await buildApp();
  webhooks = new WebhookCalls(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  sink = await WebhookSink.open(() => service.clock.now());
});
afterEach(async () => {
  await webhooks.clear();
  await sink.close();
  expect(sink.bad).toEqual([]);
});

describe('webhook events', () => {
  test('report the start and end of a session', async () => {
    await webhooks.created(sink);
    const opened = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const [worker] = service.workers;
    const { placement } = (await worker?.next('assign')) ?? {};
    if (!worker || !placement) throw new Error('nothing was assigned');

    await worker.started(placement);
    const ended = await service.call('POST', `/v1/sessions/${opened.json().id}/end`);
    webhooks.wake();
    await sink.arrived(3);

    expect(sink.types.toSorted()).toEqual(['session.ended', 'session.started', 'test']);
    const eventOf = (type: string) => sink.received.find(({ payload }) => payload.type === type);
    const started = eventOf('session.started')?.payload;
    expect(started?.data).toMatchObject({
      id: opened.json().id,
      status: { type: 'ongoing', started_at: started?.timestamp },
    });
    expect(eventOf('session.ended')?.payload.data).toEqual(ended.json());
  });

  test('report another quality of the picture, in order', async () => {
    await webhooks.created(sink, {
      events: ['session.started', 'session.quality_changed', 'session.ended'],
    });
    const opened = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const [worker] = service.workers;
    const { placement } = (await worker?.next('assign')) ?? {};
    if (!worker || !placement) throw new Error('nothing was assigned');
    await worker.started(placement);
    for (const quality of ['fewer_frames', 'full']) {
      const happenings = [{ kind: 'quality', agoMs: 0, quality }] as never;
      worker.say({ type: 'noted', placement, happenings });
    }
    await worker.atRest();
    const id: string = opened.json().id;

    webhooks.wake();
    await sink.arrived(4);

    const changes = sink.received.filter(
      ({ payload }) => payload.type === 'session.quality_changed',
    );
    expect(changes.map(({ payload }) => payload.data)).toEqual([
      { session_id: id, call_id: null, quality: 'fewer_frames' },
      { session_id: id, call_id: null, quality: 'full' },
    ]);
  });

  test('match the OpenAPI document', async () => {
    const document = (await service.app.server.inject({ url: '/openapi.json' })).json();
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const { id } = await webhooks.created(sink, { events: EVENT_TYPES });
    const session = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const database = service.place.open();
    const { account_id: accountId } = await database
      .selectFrom('webhooks')
      .select('account_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { clock } = service;
    const outbox = createOutbox({
      database,
      encryptor: await encryptorAt(service.place, database),
      lists: new Lists(randomBytes(32)),
      clock,
      onQueued: () => {},
    });
    const now = clock.now();
    const call = {
      id: newRecordId(),
      sessionId: session.json().id,
      accountId,
      agentId: newRecordId(),
      userName: null,
      userEmail: 'zoe@example.com',
      tags: { shop: '17' },
      startedAt: now,
      endedAt: null,
    };
    const message = { sender: 'ai', message: 'Hello', sentAt: now } as const;
    const ended = { ...call, startedAt: null, endedAt: now };
    const evaluation = {
      topic: 'shoes',
      userSentiment: 'neutral',
      durationMinutes: 0,
      messagesCount: 1,
      evaluatedBy: 'rules',
    } as const;
    const record = { id: session.json().id, accountId, callId: null };

    await database.transaction().execute(async (trx) => {
      const { room: _, ...body } = session.json();
      await outbox.add(trx, sessionChanged('started', record, body, now));
      await outbox.add(trx, sessionChanged('ended', record, body, now));
      await outbox.add(trx, qualityChanged(record, 'mouth_only', now));
      await outbox.add(trx, callStarted(call, now));
      await outbox.add(trx, messageAdded(call, message));
      await outbox.add(trx, callEnded(ended, [message], evaluation, now));
      await outbox.add(trx, callRated({ ...ended, rating: 'good', ratingComment: null }, now));
      const { id: callId, agentId } = call;
      await outbox.add(
        trx,
        budgetReached(
          { accountId, agentId, callId, budget: 'day', unit: 'seconds', limit: 9, resetsAt: now },
          now,
        ),
      );
      await outbox.add(trx, avatarReady(accountId, { id: newRecordId(), name: 'Mira' }, now));
    });
    await database.destroy();
    webhooks.wake();
    await sink.arrived(EVENT_TYPES.length);

    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
    expect(new Set(sink.types)).toEqual(new Set(EVENT_TYPES));
    for (const { payload } of sink.received) {
      const { post } = document.webhooks[payload.type];
      const { $ref } = post.requestBody.content['application/json'].schema;
      const validate = ajv.compile({ $ref: `document${$ref}`, unevaluatedProperties: false });
      expect(validate(payload), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  test('that are not accepted are kept with the reason', async () => {
    const { id } = await webhooks.created(sink);
    await sink.close();
    webhooks.wake();
    const firstDelivery = async () => (await webhooks.deliveries(id))[0];
    await until(async () => (await firstDelivery())?.attempts === 1);

    expect(await firstDelivery()).toEqual({
      id: expect.any(String),
      event_id: expect.any(String),
      type: 'test',
      status: 'pending',
      attempts: 1,
      created_at: expect.stringMatching(/^2026-01-01T12:.*\+00:00$/),
      next_attempt_at: expect.stringMatching(/^2026-01-01T12:.*\+00:00$/),
      error: 'The connection was refused.',
    });
  });
});

describe('deliveries', () => {
  test('are listed, most recent first, by status', async () => {
    const webhook = await webhooks.created(sink);
    const test = `/v1/webhooks/${webhook.id}/test`;
    const second = await service.call('POST', test);
    webhooks.wake();
    await until(
      async () => (await webhooks.deliveries(webhook.id, '?status=delivered')).length === 2,
    );
    sink.answer = (response) => response.writeHead(500).end();
    await service.call('POST', test);
    webhooks.wake();
    await until(async () => (await webhooks.deliveries(webhook.id))[0]?.attempts === 1);

    const page = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=2`);
    const remainingReply = await service.call(
      'GET',
      `/v1/webhooks/${webhook.id}/deliveries?limit=2&cursor=${page.json().next_cursor}`,
    );

    expect(second.statusCode).toBe(202);
    expect(second.json()).toMatchObject({ type: 'test', status: 'pending', attempts: 0 });
    expect(page.json().data.map(({ status }: Delivery) => status)).toEqual([
      'pending',
      'delivered',
    ]);
    expect(page.json().data[0]).toMatchObject({ answer_status: 500, error: 'Answered 500.' });
    expect(page.json().data[1].id).toBe(second.json().id);
    expect(page.json().data[1]).not.toHaveProperty('next_attempt_at');
    expect(remainingReply.json()).toMatchObject({
      has_more: false,
      data: [{ status: 'delivered' }],
    });
    expect(await webhooks.deliveries(webhook.id, '?status=failed')).toEqual([]);
  });

  test('are sent again on request under the same id', async () => {
    const webhook = await webhooks.created(sink);
    webhooks.wake();
    await until(async () => (await webhooks.deliveries(webhook.id))[0]?.status === 'delivered');
    const [delivery] = await webhooks.deliveries(webhook.id);

    const reply = await service.call(
      'POST',
      `/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/redeliver`,
      { headers: { 'content-type': 'application/json' } },
    );
    webhooks.wake();
    const received = await sink.arrived(2);
    await until(async () => (await webhooks.deliveries(webhook.id))[0]?.status === 'delivered');

    expect(reply.statusCode).toBe(202);
    expect(reply.json()).toMatchObject({ id: delivery?.id, status: 'pending', attempts: 0 });
    expect(received[1]?.id).toBe(received[0]?.id);
    expect(received[1]?.body).toBe(received[0]?.body);
  });

  test('are refused for a disabled or unknown webhook', async () => {
    const { id } = await webhooks.created(sink);
    const [delivery] = await webhooks.deliveries(id);
    const root = `/v1/webhooks/${id}`;

    const missing = await service.call('POST', `${root}/deliveries/nothing/redeliver`);
    await service.call('PATCH', root, { payload: { status: 'disabled' } });
    const test = await service.call('POST', `${root}/test`);
    const repeatedReply = await service.call(
      'POST',
      `${root}/deliveries/${delivery?.id}/redeliver`,
    );

    expect(missing.statusCode).toBe(404);
    for (const reply of [test, repeatedReply]) {
      expect(reply.statusCode).toBe(409);
      expect(reply.json().detail).toBe('The webhook is disabled. Enable it first.');
    }
  });
});
