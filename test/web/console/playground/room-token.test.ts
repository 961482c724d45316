import { describe, expect, test } from 'vitest';
import { joinProblem } from '../../../../src/web/console/playground/room-token.ts';

const NOW = 1_700_000_000_000;
const URL = 'wss://media.example';

const tokenOf = (claims: unknown) =>
  ['{"alg":"HS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const video = { roomJoin: true, room: 'a-room' };
const problemOf = (claims: unknown) => joinProblem(URL, tokenOf(claims), NOW);

describe('a pasted room', () => {
  test('is fine with an address and a token that allows joining', () => {
    expect(problemOf({ exp: NOW / 1000 + 60, video, name: 'Zoë~?' })).toBeNull();
    expect(joinProblem('ws://127.0.0.1:7880', tokenOf({ video }), NOW)).toBeNull();
  });

  test.for(['media.example', 'https://media.example', ''])('has no address in %o', (url) => {
    expect(joinProblem(url, tokenOf({ video }), NOW)).toBe('no_url');
  });

  test.for(['', 'abc', 'a.b.c', tokenOf(null), `e30.${'x'.repeat(9)}`])(
    'has no token in %o',
    (token) => {
      expect(joinProblem(URL, token, NOW)).toBe('no_token');
    },
  );

  test('has an expired token, beyond the skew of clocks', () => {
    expect(problemOf({ exp: NOW / 1000 - 31, video })).toBe('expired');
    expect(problemOf({ exp: NOW / 1000 - 10, video })).toBeNull();
  });

  test('has a token for later', () => {
    expect(problemOf({ nbf: NOW / 1000 + 60, video })).toBe('not_yet');
  });

  test('has a token for something else', () => {
    expect(problemOf({ video: { roomCreate: true } })).toBe('no_room');
    expect(problemOf({ video: { roomJoin: true } })).toBe('no_room');
    expect(problemOf({})).toBe('no_room');
  });
});
