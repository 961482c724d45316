import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';
import { WebhookCalls } from '../../support/api/webhook-calls.ts';
import { isSigned, WebhookSink } from '../../support/api/webhook-sink.ts';

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

describe('a webhook', () => {
  test('is created with a secret that is shown only once', async () => {
    const reply = await webhooks.create(sink, { description: 'Tells the shop' });
    const { id, secret, ...publicFields } = reply.json();

    expect(reply.statusCode).toBe(201);
    expect(secret).toMatch(/^whsec_/);
    expect(publicFields).toEqual({
      url: sink.url,
      events: ['session.started', 'session.ended'],
      description: 'Tells the shop',
      status: 'enabled',
      created_at: expect.stringMatching(/^2026-01-01T12:.*\.\d{6}\+00:00$/),
    });
    const retrievedReply = await service.call('GET', `/v1/webhooks/${id}`);
    const listed = await service.call('GET', '/v1/webhooks');
    expect(retrievedReply.json()).toEqual({ id, ...publicFields });
    expect(listed.json()).toEqual({ data: [{ id, ...publicFields }], has_more: false });
  });

  test('has its secret encrypted at rest', async () => {
    const { id, secret } = await webhooks.created(sink);
    const database = service.place.open();

    const rows = await database.selectFrom('webhooks').selectAll().execute();
    await database.destroy();

    expect(rows.map((row) => row.id)).toEqual([id]);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  test('gets a test event on creation, whatever it subscribes to', async () => {
    const webhook = await webhooks.created(sink);
    webhooks.wake();
    const [received] = await sink.arrived(1);

    expect(received?.payload).toMatchObject({
      type: 'test',
      data: { webhook_id: webhook.id },
      event_type: 'test',
    });
    await until(async () => (await webhooks.deliveries(webhook.id))[0]?.status === 'delivered');
  });

  test('is created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'shop-1' };

    const firstReply = await webhooks.create(sink, {}, headers);
    const repeat = await webhooks.create(sink, {}, headers);
    const otherReply = await webhooks.create(sink, { description: 'another' }, headers);

    expect(repeat.json()).toEqual(firstReply.json());
    expect(otherReply.statusCode).toBe(409);
  });

  test('changes only in the given fields', async () => {
    const { id } = await webhooks.created(sink, { description: 'one' });

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

  test('gets a test event at a new URL and when enabled again', async () => {
    const { id } = await webhooks.created(sink, { url: 'https://receiver.example/' });
    const change = (payload: object) => service.call('PATCH', `/v1/webhooks/${id}`, { payload });

    await change({ url: sink.url });
    await change({ description: 'no reason for a test' });
    await change({ status: 'disabled' });
    const disabled = (await service.call('GET', `/v1/webhooks/${id}`)).json();
    await change({ status: 'enabled' });
    const enabled = (await service.call('GET', `/v1/webhooks/${id}`)).json();

    const deliveries = await webhooks.deliveries(id);
    expect(deliveries.map(({ type }) => type)).toEqual(['test', 'test', 'test']);
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    expect(enabled).not.toHaveProperty('disabled_reason');
  });

  test('has only its new secret after a rotation without overlap', async () => {
    const webhook = await webhooks.created(sink);
    webhooks.wake();
    await sink.arrived(1);

    const path = `/v1/webhooks/${webhook.id}/rotate-secret?overlap_hours=0`;
    const reply = await service.call('POST', path);
    const { secret, ...publicFields } = reply.json();
    sink.trust(secret);
    await service.call('POST', `/v1/webhooks/${webhook.id}/test`);
    webhooks.wake();
    const [eventBefore, eventAfter] = await sink.arrived(2);

    expect(reply.statusCode).toBe(200);
    expect(publicFields).toEqual((await service.call('GET', `/v1/webhooks/${webhook.id}`)).json());
    expect(eventBefore && isSigned(webhook.secret, eventBefore)).toBe(true);
    expect(eventAfter && isSigned(secret, eventAfter)).toBe(true);
    expect(eventAfter && isSigned(webhook.secret, eventAfter)).toBe(false);
  });

  test('keeps its former secret for a day unless told otherwise', async () => {
    const { id } = await webhooks.created(sink);

    const reply = await service.call('POST', `/v1/webhooks/${id}/rotate-secret`);

    const until = Date.parse(reply.json().former_secret_until);
    expect(until - service.clock.now()).toBe(24 * 3_600_000);
  });

  test('is signed for with both secrets during the overlap of a rotation', async () => {
    const webhook = await webhooks.created(sink);
    webhooks.wake();
    await sink.arrived(1);
    const path = `/v1/webhooks/${webhook.id}`;

    const { secret } = (await service.call('POST', `${path}/rotate-secret?overlap_hours=1`)).json();
    sink.trust(secret);
    await service.call('POST', `${path}/test`);
    webhooks.wake();
    const [, during] = await sink.arrived(2);
    service.clock.leap(3_600_000);
    await service.call('POST', `${path}/test`);
    webhooks.wake();
    const [, , eventAfter] = await sink.arrived(3);

    expect(during && [webhook.secret, secret].map((each) => isSigned(each, during))).toEqual([
      true,
      true,
    ]);
    expect(
      eventAfter && [webhook.secret, secret].map((each) => isSigned(each, eventAfter)),
    ).toEqual([false, true]);
  });

  test.each(['-1', '169', 'x'])('is not rotated with an overlap of %s hours', async (hours) => {
    const { id } = await webhooks.created(sink);

    const reply = await service.call(
      'POST',
      `/v1/webhooks/${id}/rotate-secret?overlap_hours=${hours}`,
    );

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toEqual(['query', 'overlap_hours']);
  });

  test('is deleted with its deliveries', async () => {
    const { id } = await webhooks.created(sink);

    const reply = await service.call('DELETE', `/v1/webhooks/${id}`, {
      headers: { 'content-type': 'application/json' },
    });

    expect(reply.statusCode).toBe(204);
    expect((await service.call('GET', `/v1/webhooks/${id}`)).statusCode).toBe(404);
    expect((await service.call('GET', `/v1/webhooks/${id}/deliveries`)).statusCode).toBe(404);
    expect((await service.call('DELETE', `/v1/webhooks/${id}`)).statusCode).toBe(404);
    const database = service.place.open();
    const remainingDeliveries = database
      .selectFrom('deliveries')
      .selectAll()
      .where('webhook_id', '=', id);
    expect(await remainingDeliveries.execute()).toEqual([]);
    await database.destroy();
  });

  test('is limited to 50 per account', async () => {
    for (let count = 0; count < 50; count += 1) await webhooks.create(sink);

    const reply = await webhooks.create(sink);

    expect(reply.statusCode).toBe(409);
    expect(reply.json().detail).toBe('An account may have 50 webhooks. Delete one first.');
  });

  test.each([
    { wrong: 'no url', body: { url: undefined }, loc: ['body', 'url'] },
    { wrong: 'no events', body: { events: undefined }, loc: ['body', 'events'] },
    { wrong: 'an empty list', body: { events: [] }, loc: ['body', 'events'] },
    { wrong: 'an unknown event', body: { events: ['sneeze'] }, loc: ['body', 'events', 0] },
    { wrong: 'a repeated event', body: { events: ['test', 'test'] }, loc: ['body', 'events'] },
    { wrong: 'another scheme', body: { url: 'ftp://example.com' }, loc: ['body', 'url'] },
    { wrong: 'a NUL in the url', body: { url: 'https://a.example/\0' }, loc: ['body', 'url'] },
    {
      wrong: 'a NUL in the description',
      body: { description: 'a\0b' },
      loc: ['body', 'description'],
    },
    { wrong: 'no host', body: { url: 'https://:99999' }, loc: ['body', 'url'] },
    { wrong: 'plain http', body: { url: 'http://example.com/' }, loc: ['body', 'url'] },
    { wrong: 'a private network', body: { url: 'https://10.0.0.1/' }, loc: ['body', 'url'] },
    {
      wrong: 'a cloud metadata address',
      body: { url: 'https://169.254.169.254/' },
      loc: ['body', 'url'],
    },
    { wrong: 'a password', body: { url: 'https://a:b@example.com/' }, loc: ['body', 'url'] },
  ])('is refused with $wrong on creation and update', async ({ body, loc }) => {
    const { id } = await webhooks.created(sink);

    const refused = await webhooks.create(sink, body);
    const changed = await service.call('PATCH', `/v1/webhooks/${id}`, { payload: body });

    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0]).toMatchObject({ loc });
    const isMissing = Object.values(body)[0] === undefined;
    expect(changed.statusCode).toBe(isMissing ? 204 : 422);
  });

  test('is not accessible to other accounts', async () => {
    const { id } = await webhooks.created(sink);
    const [delivery] = await webhooks.deliveries(id);
    const headers = { 'x-api-key': await service.strangerKey() };
    const requests = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/${delivery?.id}/redeliver`],
    ] as const;

    for (const [method, suffix] of requests) {
      const payload = method === 'PATCH' ? { payload: { description: 'mine' } } : {};
      const reply = await service.call(method, `/v1/webhooks/${id}${suffix}`, {
        headers,
        ...payload,
      });
      expect(reply.statusCode, `${method} ${suffix}`).toBe(404);
    }
    expect((await service.call('GET', '/v1/webhooks', { headers })).json().data).toEqual([]);
  });
});
