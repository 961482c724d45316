import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../support/build-app.ts';
import { until } from '../support/until.ts';
import { isSigned, WebhookSink } from '../support/webhook-sink.ts';

let service: BuiltApp;
let sink: WebhookSink;

beforeAll(async () => {
  service = await buildApp();
});
afterAll(() => service.close());
beforeEach(async () => {
  sink = await WebhookSink.open(() => service.clock.now());
});
afterEach(async () => {
  for (const id of made.splice(0)) await service.call('DELETE', `/v1/webhooks/${id}`);
  await sink.close();
  expect(sink.bad).toEqual([]);
});

type Webhook = { id: string; secret: string };
type Delivery = { id: string; type: string; status: string; attempts: number };

const events = ['session.started', 'session.ended'];
const made: string[] = [];
const create = async (given: object = {}, headers = {}) => {
  const payload = { url: sink.url, events, ...given };
  const reply = await service.call('POST', '/v1/webhooks', { payload, headers });
  if (reply.statusCode === 201) made.push(reply.json().id);
  return reply;
};
const created = async (payload: object = {}): Promise<Webhook> => {
  const webhook = (await create(payload)).json() as Webhook;
  sink.trust(webhook.secret);
  return webhook;
};
const deliveries = async ({ id }: Webhook, query = ''): Promise<Delivery[]> =>
  (await service.call('GET', `/v1/webhooks/${id}/deliveries${query}`)).json().data;
const wake = () => service.clock.advance(50);

describe('a webhook', () => {
  test('is made with a secret, which is shown only then', async () => {
    const reply = await create({ description: 'Tells the shop' });
    const { id, secret, ...shown } = reply.json();

    expect(reply.statusCode).toBe(201);
    expect(secret).toMatch(/^whsec_/);
    expect(shown).toEqual({
      url: sink.url,
      events,
      description: 'Tells the shop',
      status: 'enabled',
      created_at: expect.stringMatching(/^2026-01-01T12:.*\.\d{6}\+00:00$/),
    });
    const found = await service.call('GET', `/v1/webhooks/${id}`);
    const listed = await service.call('GET', '/v1/webhooks');
    expect(found.json()).toEqual({ id, ...shown });
    expect(listed.json()).toEqual({ data: [{ id, ...shown }], has_more: false });
  });

  test('is sealed in the records', async () => {
    const { id, secret } = await created();
    const database = service.place.open();

    const rows = await database.selectFrom('webhooks').selectAll().execute();
    await database.destroy();

    expect(rows.map((row) => row.id)).toEqual([id]);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  test('is sent a test when it is made, whatever it wants', async () => {
    const webhook = await created();
    wake();
    const [received] = await sink.arrived(1);

    expect(received?.payload).toMatchObject({
      type: 'test',
      data: { webhook_id: webhook.id },
      event_type: 'test',
    });
    await until(async () => (await deliveries(webhook))[0]?.status === 'delivered');
  });

  test('is made once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'shop-1' };

    const first = await create({}, headers);
    const again = await create({}, headers);
    const other = await create({ description: 'another' }, headers);

    expect(again.json()).toEqual(first.json());
    expect(other.statusCode).toBe(409);
  });

  test('is changed where a change says so, and stays elsewhere', async () => {
    const { id } = await created({ description: 'one' });

    const reply = await service.call('PATCH', `/v1/webhooks/${id}`, {
      payload: { events: ['call.ended'] },
    });

    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
    expect((await service.call('GET', `/v1/webhooks/${id}`)).json()).toMatchObject({
      url: sink.url,
      events: ['call.ended'],
      description: 'one',
      status: 'enabled',
    });
  });

  test('is sent a test at its new url, and when it is enabled again', async () => {
    const { id } = await created({ url: 'https://receiver.example/' });
    const change = (payload: object) => service.call('PATCH', `/v1/webhooks/${id}`, { payload });

    await change({ url: sink.url });
    await change({ description: 'no reason for a test' });
    await change({ status: 'disabled' });
    const disabled = (await service.call('GET', `/v1/webhooks/${id}`)).json();
    await change({ status: 'enabled' });
    const enabled = (await service.call('GET', `/v1/webhooks/${id}`)).json();

    const told = await deliveries({ id, secret: '' });
    expect(told.map(({ type }) => type)).toEqual(['test', 'test', 'test']);
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    expect(enabled).not.toHaveProperty('disabled_reason');
  });

  test('has another secret after a rotation', async () => {
    const webhook = await created();
    wake();
    await sink.arrived(1);

    const reply = await service.call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
    const { secret, ...shown } = reply.json();
    sink.trust(secret);
    await service.call('POST', `/v1/webhooks/${webhook.id}/test`);
    wake();
    const [before, after] = await sink.arrived(2);

    expect(reply.statusCode).toBe(200);
    expect(shown).toEqual((await service.call('GET', `/v1/webhooks/${webhook.id}`)).json());
    expect(before && isSigned(webhook.secret, before)).toBe(true);
    expect(after && isSigned(secret, after)).toBe(true);
    expect(after && isSigned(webhook.secret, after)).toBe(false);
  });

  test('is gone after its deletion, with its deliveries', async () => {
    const { id } = await created();

    const reply = await service.call('DELETE', `/v1/webhooks/${id}`, {
      headers: { 'content-type': 'application/json' },
    });

    expect(reply.statusCode).toBe(204);
    expect((await service.call('GET', `/v1/webhooks/${id}`)).statusCode).toBe(404);
    expect((await service.call('GET', `/v1/webhooks/${id}/deliveries`)).statusCode).toBe(404);
    expect((await service.call('DELETE', `/v1/webhooks/${id}`)).statusCode).toBe(404);
    const database = service.place.open();
    const left = database.selectFrom('deliveries').selectAll().where('webhook_id', '=', id);
    expect(await left.execute()).toEqual([]);
    await database.destroy();
  });

  test('is one of at most 50', async () => {
    for (let count = 0; count < 50; count += 1) await create();

    const reply = await create();

    expect(reply.statusCode).toBe(409);
    expect(reply.json().detail).toBe('An account may have 50 webhooks. Delete one first.');
  });

  test.each([
    { wrong: 'no url', body: { url: undefined }, loc: ['body', 'url'] },
    { wrong: 'no events', body: { events: undefined }, loc: ['body', 'events'] },
    { wrong: 'an empty list', body: { events: [] }, loc: ['body', 'events'] },
    { wrong: 'an unknown event', body: { events: ['sneeze'] }, loc: ['body', 'events', 0] },
    { wrong: 'one twice', body: { events: ['test', 'test'] }, loc: ['body', 'events'] },
    { wrong: 'another scheme', body: { url: 'ftp://example.com' }, loc: ['body', 'url'] },
    { wrong: 'a NUL in it', body: { url: 'https://a.example/\0' }, loc: ['body', 'url'] },
    { wrong: 'a NUL', body: { description: 'a\0b' }, loc: ['body', 'description'] },
    { wrong: 'no host', body: { url: 'https://:99999' }, loc: ['body', 'url'] },
    { wrong: 'plain http', body: { url: 'http://example.com/' }, loc: ['body', 'url'] },
    { wrong: 'a private network', body: { url: 'https://10.0.0.1/' }, loc: ['body', 'url'] },
    {
      wrong: "a cloud's metadata",
      body: { url: 'https://169.254.169.254/' },
      loc: ['body', 'url'],
    },
    { wrong: 'a password', body: { url: 'https://a:b@example.com/' }, loc: ['body', 'url'] },
  ])('is refused with $wrong, new or changed', async ({ body, loc }) => {
    const { id } = await created();

    const refused = await create(body);
    const changed = await service.call('PATCH', `/v1/webhooks/${id}`, { payload: body });

    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0]).toMatchObject({ loc });
    const isMissing = Object.values(body)[0] === undefined;
    expect(changed.statusCode).toBe(isMissing ? 204 : 422);
  });

  test("is nobody else's", async () => {
    const { id } = await created();
    const [delivery] = await deliveries({ id, secret: '' });
    const headers = { 'x-api-key': await service.strangerKey() };
    const theirs = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${delivery?.id}/redeliver`],
    ] as const;

    for (const [method, rest] of theirs) {
      const payload = method === 'PATCH' ? { payload: { description: 'mine' } } : {};
      const reply = await service.call(method, `/v1/webhooks/${id}${rest}`, {
        headers,
        ...payload,
      });
      expect(reply.statusCode, `${method} ${rest}`).toBe(404);
    }
    expect((await service.call('GET', '/v1/webhooks', { headers })).json().data).toEqual([]);
  });
});

describe('what webhooks are told', () => {
  test('of a session: its beginning and its end, as the document says', async () => {
    const document = (await service.app.server.inject({ url: '/openapi.json' })).json();
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    await created();
    const opened = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const [worker] = service.workers;
    const { placement } = (await worker?.next('assign')) ?? {};
    if (!worker || !placement) throw new Error('nothing was assigned');

    await worker.started(placement);
    await service.call('POST', `/v1/sessions/${opened.json().id}/end`);
    await worker.atRest();
    const session = async () =>
      (await service.call('GET', `/v1/sessions/${opened.json().id}`)).json();
    await until(async () => (await session()).status.type === 'completed');
    wake();
    await sink.arrived(3);

    expect(sink.types.toSorted()).toEqual(['session.ended', 'session.started', 'test']);
    const [started, ended] = sink.received
      .map(({ payload }) => payload)
      .filter(({ type }) => type !== 'test');
    expect(started?.data).toMatchObject({
      id: opened.json().id,
      status: { type: 'ongoing', started_at: started?.timestamp },
    });
    expect(ended?.data).toEqual(await session());
    for (const { payload } of sink.received) {
      const { post } = document.webhooks[payload.type];
      const { $ref } = post.requestBody.content['application/json'].schema;
      const validate = ajv.compile({ $ref: `document${$ref}` });
      expect(validate(payload), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  test('that nobody takes is kept, with the reason', async () => {
    const { id } = await created();
    await sink.close();
    wake();
    const first = async () => (await deliveries({ id, secret: '' }))[0];
    await until(async () => (await first())?.attempts === 1);

    expect(await first()).toEqual({
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
    const webhook = await created();
    const test = `/v1/webhooks/${webhook.id}/test`;
    const second = await service.call('POST', test);
    wake();
    await until(async () => (await deliveries(webhook, '?status=delivered')).length === 2);
    sink.answer = (response) => response.writeHead(500).end();
    await service.call('POST', test);
    wake();
    await until(async () => (await deliveries(webhook))[0]?.attempts === 1);

    const page = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=2`);
    const rest = await service.call(
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
    expect(rest.json()).toMatchObject({ has_more: false, data: [{ status: 'delivered' }] });
    expect(await deliveries(webhook, '?status=failed')).toEqual([]);
  });

  test('are made again on request, under the same id', async () => {
    const webhook = await created();
    wake();
    await until(async () => (await deliveries(webhook))[0]?.status === 'delivered');
    const [delivery] = await deliveries(webhook);

    const reply = await service.call(
      'POST',
      `/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/redeliver`,
      { headers: { 'content-type': 'application/json' } },
    );
    wake();
    const received = await sink.arrived(2);
    await until(async () => (await deliveries(webhook))[0]?.status === 'delivered');

    expect(reply.statusCode).toBe(202);
    expect(reply.json()).toMatchObject({ id: delivery?.id, status: 'pending', attempts: 0 });
    expect(received[1]?.id).toBe(received[0]?.id);
    expect(received[1]?.body).toBe(received[0]?.body);
  });

  test('cannot be asked of a disabled webhook, or when there is none', async () => {
    const { id } = await created();
    const [delivery] = await deliveries({ id, secret: '' });
    const root = `/v1/webhooks/${id}`;

    const missing = await service.call('POST', `${root}/deliveries/nothing/redeliver`);
    await service.call('PATCH', root, { payload: { status: 'disabled' } });
    const test = await service.call('POST', `${root}/test`);
    const again = await service.call('POST', `${root}/deliveries/${delivery?.id}/redeliver`);

    expect(missing.statusCode).toBe(404);
    for (const reply of [test, again]) {
      expect(reply.statusCode).toBe(409);
      expect(reply.json().detail).toBe('The webhook is disabled. Enable it first.');
    }
  });
});
