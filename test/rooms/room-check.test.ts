import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/errors.ts';
import { checkCallerRoom } from '../../src/rooms/room-check.ts';
import { roomToken } from '../support/api/build-app.ts';
import { TestClock } from '../support/test-clock.ts';

const names = { url: 'url', token: 'token' };
const now = new TestClock().now();
const url = 'wss://media.example';
const token = await roomToken();
const grant = { roomJoin: true, room: 'their-room' };

/** Empty if the room is accepted. */
function complaints(room: { url: string; token: string }): string[] {
  try {
    checkCallerRoom(room, names, now);
    return [];
  } catch (error) {
    return ((error as Fault).problems ?? []).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  }
}

describe('a room that a caller brings', () => {
  test.each([
    'ws://10.0.0.1:7880',
    'wss://a.example/path?x=1',
    'http://localhost',
    'https://b.example',
  ])('may be at %s', (url) => {
    expect(complaints({ url, token })).toEqual([]);
  });

  test.each([
    '',
    'media.example',
    '//media.example',
    'ftp://media.example',
    'file:///etc/passwd',
    'wss://',
  ])('is not at %o', (url) => {
    expect(complaints({ url, token })).toHaveLength(1);
  });

  test.each([
    ['a right left out is one that is given', grant, {}],
    ['the right to publish may be said', { ...grant, canPublish: true }, {}],
    ['both sources suffice', { ...grant, canPublishSources: ['camera', 'microphone'] }, {}],
    ['no sources are all sources', { ...grant, canPublishSources: [] }, {}],
    ['no expiry is no reason to refuse', grant, { exp: undefined }],
    ['attributes do not matter', grant, { attributes: undefined }],
  ])('is taken with its token: %s', async (_why, video, claims) => {
    expect(complaints({ url, token: await roomToken(video, claims) })).toEqual([]);
  });

  test('is refused once its token expires', async () => {
    const exp = now / 1000;

    expect(complaints({ url, token: await roomToken(grant, { exp }) })).toHaveLength(1);
    expect(complaints({ url, token: await roomToken(grant, { exp: exp + 1 }) })).toEqual([]);
  });

  test.each([
    ['roomJoin', { ...grant, roomJoin: 'true' }],
    ['names no room', { ...grant, room: 7 }],
    ['canPublishSources', { ...grant, canPublishSources: ['microphone'] }],
    ['roomJoin', null],
  ])('is refused with grants of a wrong kind: %s', async (says, video) => {
    const token = await roomToken(grant, { video });

    expect(complaints({ url, token })).toEqual([expect.stringContaining(says)]);
  });

  test.each([
    '',
    'a',
    'a.b',
    'a.b.c',
    '..',
    `${token}.more`,
    ` ${token}`,
    'e30.bnVsbA.e30',
    'e30.NQ.e30',
  ])('is refused with %o for a token', (token) => {
    expect(complaints({ url, token })).toEqual(['body.token: The token is not a JWT.']);
  });
});
