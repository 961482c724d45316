import { describe, expect, test } from 'vitest';
import { AddressRefused } from '#shared/network/address-policy.ts';
import {
  failureOf,
  refusalOf,
  targetOf,
} from '../../../../workers/avatar/transport/connection-failure.ts';

describe('the target of a room URL', () => {
  test.each([
    ['wss://media.example', { host: 'media.example', port: 443 }],
    ['https://media.example/path', { host: 'media.example', port: 443 }],
    ['ws://media.example', { host: 'media.example', port: 80 }],
    ['ws://127.0.0.1:7880', { host: '127.0.0.1', port: 7880 }],
    ['wss://[::1]:7881', { host: '::1', port: 7881 }],
  ])('of %s', (url, target) => {
    expect(targetOf(url)).toEqual(target);
  });
});

describe('a failed connection', () => {
  const target = { host: '::1', port: 7880 };

  test.each([
    ['ECONNREFUSED', 'connection refused by [::1]:7880'],
    ['ENOTFOUND', 'no address found for [::1]:7880'],
    ['ETIMEDOUT', 'no answer from [::1]:7880'],
    ['EPROTO', 'TLS with [::1]:7880 failed'],
    ['CERT_HAS_EXPIRED', 'TLS with [::1]:7880 failed'],
    ['EMFILE', 'no connection to [::1]:7880'],
  ])('is explained by its code: %s', (code, text) => {
    expect(failureOf(Object.assign(new Error('x'), { code }), target)).toBe(text);
  });

  test('is explained by the refusal of the address', () => {
    expect(failureOf(new AddressRefused('Not there.'), target)).toBe(
      '[::1]:7880 is not allowed. Not there.',
    );
  });
});

describe('a refusal by the media server', () => {
  const target = { host: 'media.example', port: 443 };

  test.each([
    ['client error: 401 Unauthorized - invalid API key: x', 'media.example:443 refused the token'],
    ['client error: 407 Proxy', 'media.example:443 redirects to another address'],
    ['client error: 404 Not Found - ', 'media.example:443 answered 404'],
    ['server error: 500 Internal Server Error - TLS', 'media.example:443 answered 500'],
    ['transport connection error: TLS connection error: eof', 'TLS with media.example:443 failed'],
    ['connecting to the media server timed out', 'no answer from media.example:443'],
    ['handshake error: 200 OK', 'media.example:443 is not a media server'],
    ['something else', 'media.example:443 did not let the avatar in'],
  ])('is explained by the error of the client: %s', (message, text) => {
    expect(refusalOf(`engine: signal failure: ${message}`, target)).toBe(text);
  });
});
