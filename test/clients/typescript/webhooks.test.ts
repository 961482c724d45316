import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { Troupe, verifyWebhook } from '../../../src/clients/typescript/src/index.ts';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = JSON.stringify({ type: 'test', data: { webhook_id: 'w' } });
const at = Date.UTC(2026, 0, 1, 12);

const headers = (extraHeaders: Record<string, string> = {}) => ({
  'Webhook-Id': 'e1',
  'Webhook-Timestamp': String(at / 1_000),
  'Webhook-Signature': new Webhook(secret).sign('e1', new Date(at), body),
  ...extraHeaders,
});

describe('a webhook', () => {
  test('with the right signature is an event', async () => {
    const event = await verifyWebhook(body, headers(), { secret, now: at + 299_000 });
    expect(event).toMatchObject({ type: 'test' });

    const bytes = new TextEncoder().encode(body);
    await verifyWebhook(bytes, new Headers(headers()), { secret: [otherSecret, secret], now: at });
    const signatures = `v1,${Buffer.alloc(32).toString('base64')} ${headers()['Webhook-Signature']}`;
    await verifyWebhook(body, headers({ 'Webhook-Signature': signatures }), { secret, now: at });
  });

  test.each([
    ['of another sender', headers(), { secret: otherSecret, now: at }, 'No signature is right'],
    [
      'with an older scheme',
      headers({ 'Webhook-Signature': 'v0,AAAA' }),
      { secret, now: at },
      'No signature',
    ],
    [
      'that is no base64',
      headers({ 'Webhook-Signature': 'v1,*' }),
      { secret, now: at },
      'No signature',
    ],
    ['that is old', headers(), { secret, now: at + 301_000 }, 'The delivery is 301 s old'],
    ['from the future', headers(), { secret, now: at - 301_000 }, 'The delivery is -301 s old'],
    [
      'without a time',
      headers({ 'Webhook-Timestamp': 'now' }),
      { secret, now: at },
      'is not a time',
    ],
    ['without an id', headers({ 'Webhook-Id': '' }), { secret, now: at }, 'webhook-id is missing'],
    ['with a wrong secret', headers(), { secret: 'whsec_', now: at }, 'is not a webhook secret'],
  ])('%s is refused', async (_, badHeaders, options, message) => {
    await expect(verifyWebhook(body, badHeaders, options)).rejects.toThrow(message);
  });

  test('is refused when its body was changed', async () => {
    const changed = body.replace('"w"', '"x"');
    await expect(verifyWebhook(changed, headers(), { secret, now: at })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
    });
  });
});

describe('a webhook of the service', () => {
  let service: BuiltApp;
  let sink: WebhookSink;
  beforeAll(async () => {
    [service, sink] = await Promise.all([buildApp({ clock: systemClock }), WebhookSink.open()]);
  });
  afterAll(async () => {
    await service.close();
    await sink.close();
  });

  test('is verified with the secret that its creation returned', async () => {
    const troupe = new Troupe({ apiKey: API_KEY, baseUrl: service.url });
    const created = await troupe.webhooks.create({
      url: `http://127.0.0.1:${sink.port}/hook`,
      events: ['test'],
    });
    sink.trust(created.secret);

    await troupe.webhooks.test(created.id);
    const [delivery] = await sink.arrived(1);

    const event = await verifyWebhook(delivery!.body, delivery!.headers, {
      secret: created.secret,
    });
    expect(event).toMatchObject({ type: 'test', data: { webhook_id: created.id } });
  });
});
