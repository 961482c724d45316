import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSigningSecret, signedHeaders } from '../../src/events/signature.ts';

describe('a signature', () => {
  test('follows the standard', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };

    expect(signedHeaders([secret], message)).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('covers the whole second in the header', () => {
    const secret = newSigningSecret();
    const body = JSON.stringify({ text: 'Zoë \u2028' });
    const headers = signedHeaders([secret], { id: 'event-1', at: Date.now(), body });

    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
  });

  test('is made with each of several secrets', () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    const headers = signedHeaders(secrets, { id: 'event-1', at: Date.now(), body: '{}' });

    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
  });

  test('uses a secret per webhook', () => {
    expect(newSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret()).not.toBe(newSigningSecret());
  });
});
