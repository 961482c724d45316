import { describe, expect, test } from 'vitest';
import { isAllowedOrigin, readOrigins } from '../../../src/http/agents/agent-origins.ts';

describe('the origins that an owner allows', () => {
  test('are normalized and named once', () => {
    expect(
      readOrigins([
        'https://WWW.Example.com/',
        'https://www.example.com:443',
        ' http://localhost:3000 ',
        'https://*.example.org',
        'https://münchen.example',
      ]),
    ).toEqual([
      'https://www.example.com',
      'http://localhost:3000',
      'https://*.example.org',
      'https://xn--mnchen-3ya.example',
    ]);
  });

  test.each([
    'www.example.com',
    '*',
    'null',
    'https://',
    'https://*.com',
    'https://www.*.example.com',
    'https://example.com/shop',
    'https://example.com?',
    'https://user@example.com',
    'wss://example.com',
    "https://example.com;script-src 'unsafe-inline'",
    'https://example.com;x',
    'https://a,b.example',
    'https://[::1]:3000',
  ])('are no %s', (text) => {
    expect(() => readOrigins(['https://example.com', text])).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ loc: ['body', 'allowed_origins', 1], input: text })],
      }),
    );
  });

  test.each([
    ['https://a.example.com', true],
    ['https://a.b.example.com', true],
    ['https://example.com', false],
    ['http://a.example.com', false],
    ['https://a.example.com:8443', false],
    ['https://aexample.com', false],
    ['https://evil.example/.example.com', false],
  ])('with a star mean subdomains: %s', (origin, isAllowed) => {
    expect(isAllowedOrigin(origin, ['https://*.example.com'])).toBe(isAllowed);
  });
});
