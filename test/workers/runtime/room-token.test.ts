import { describe, expect, test } from 'vitest';
import { attributesOf, isExpired, outlives } from '../../../workers/runtime/room-token.ts';

const tokenOf = (claims: object) =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

describe('room token', () => {
  test('names the agent that the avatar speaks for', () => {
    const token = tokenOf({ attributes: { 'lk.publish_on_behalf': 'agent-7' } });

    expect(attributesOf(token)).toEqual({ 'lk.publish_on_behalf': 'agent-7' });
  });

  test('expires at its expiry second; without one, never', () => {
    expect(isExpired(tokenOf({ exp: 100 }), 99_999)).toBe(false);
    expect(isExpired(tokenOf({ exp: 100 }), 100_000)).toBe(true);
    expect(isExpired(tokenOf({}), 100_000)).toBe(false);
  });

  test('outlives a token that expires earlier, but not one that never expires', () => {
    expect(outlives(tokenOf({ exp: 101 }), tokenOf({ exp: 100 }))).toBe(true);
    expect(outlives(tokenOf({ exp: 100 }), tokenOf({ exp: 100 }))).toBe(false);
    expect(outlives(tokenOf({ exp: 100 }), tokenOf({}))).toBe(false);
    expect(outlives(tokenOf({}), tokenOf({ exp: 100 }))).toBe(true);
  });

  test.each(['', 'no token', 'a.b.c', 'a.bnVsbA.c'])(
    'has no claims when it is not a JWT: %j',
    (token) => {
      expect(attributesOf(token)).toEqual({});
      expect(isExpired(token, 1)).toBe(false);
    },
  );
});
