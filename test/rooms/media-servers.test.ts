import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessToken } from 'livekit-server-sdk';
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { MediaServer, readMediaServers } from '../../src/rooms/media-servers.ts';

const apiKey = 'devkey';
const apiSecret = 'a secret of thirty-two characters';
const server = new MediaServer({
  url: 'ws://127.0.0.1:7880',
  publicUrl: 'wss://media.example/',
  apiKey,
  apiSecret,
});
const now = 1_767_268_800_000;
const seconds = now / 1000;

const sign = (claims: Record<string, unknown>, secret = apiSecret) =>
  new SignJWT({
    iss: apiKey,
    sub: 'agent',
    nbf: seconds,
    exp: seconds + 600,
    inference: { perform: true },
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));

describe('a token signed with a media server’s key', () => {
  test('is recognized', async () => {
    expect(await server.hasSigned(await sign({}), now)).toBe(true);
  });

  test('is recognized as agent frameworks make it', async () => {
    const accessToken = new AccessToken(apiKey, apiSecret, { identity: 'agent', ttl: 600 });
    accessToken.addInferenceGrant({ perform: true });

    expect(await server.hasSigned(await accessToken.toJwt(), Date.now())).toBe(true);
  });

  test('tolerates a clock that is slightly ahead', async () => {
    expect(await server.hasSigned(await sign({ nbf: seconds + 10 }), now)).toBe(true);
  });

  test.each([
    { wrong: 'another key', claims: { iss: 'other' } },
    { wrong: 'no right to inference', claims: { inference: undefined } },
    { wrong: 'a right that is refused', claims: { inference: { perform: false } } },
    { wrong: 'a right to a room only', claims: { inference: null, video: { roomJoin: true } } },
    { wrong: 'an expiry that is past', claims: { exp: seconds - 60 } },
    { wrong: 'no expiry', claims: { exp: undefined } },
    { wrong: 'a time to come', claims: { nbf: seconds + 600 } },
  ])('is not taken with $wrong', async ({ claims }) => {
    expect(await server.hasSigned(await sign(claims), now)).toBe(false);
  });

  test('is refused with another secret', async () => {
    const token = await sign({}, 'another secret of thirty-two letters');

    expect(await server.hasSigned(token, now)).toBe(false);
  });

  test('is refused without a signature', async () => {
    const [, claims] = (await sign({})).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');

    expect(await server.hasSigned(`${header}.${claims}.`, now)).toBe(false);
    expect(await server.hasSigned('no token', now)).toBe(false);
  });
});

const roomToken = (claims: object, secret = apiSecret) =>
  sign({ inference: undefined, video: { roomJoin: true, room: 'theirs' }, ...claims }, secret);

describe('a room token', () => {
  test.each([{}, { exp: undefined }, { nbf: seconds + 10 }])('is accepted: %o', async (claims) => {
    expect(await server.tokenRefusal(await roomToken(claims), now)).toBeNull();
  });

  test.each([
    [{ exp: seconds - 60 }, /expired/],
    [{ nbf: seconds + 600 }, /not valid now \(nbf\)/],
  ])('is refused: %o', async (claims, why) => {
    expect(await server.tokenRefusal(await roomToken(claims), now)).toMatch(why);
  });

  test('is refused with another secret, or without a signature', async () => {
    const forged = await roomToken({}, 'another secret of thirty-two letters');
    const [, claims] = forged.split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');

    expect(await server.tokenRefusal(forged, now)).toMatch(/signature is wrong/);
    expect(await server.tokenRefusal(`${header}.${claims}.x`, now)).toMatch(/cannot be verified/);
  });

  test.each([
    [401, /does not know the API key/],
    [200, null],
    [404, null],
  ])('with an unknown key is what the server says: %i', async (status, why) => {
    const requests: string[] = [];
    const real = createServer(({ url, headers }, response) => {
      requests.push(`${url} ${headers.authorization}`);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(real, 'listening');
    const at = `ws://127.0.0.1:${(real.address() as AddressInfo).port}/`;
    const token = await roomToken({ iss: 'unknown' });

    const refusal = await new MediaServer({ url: at, apiKey, apiSecret }).tokenRefusal(token, now);
    real.closeAllConnections();
    real.close();

    if (why === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(why);
    expect(requests).toEqual([`/rtc/validate Bearer ${token}`]);
  });
});

describe('a media server', () => {
  test.each([
    'ws://127.0.0.1:7880',
    'ws://localhost:7880/',
    'http://[::1]:7880',
    'wss://media.example',
    'https://media.example:443/rtc',
  ])('is at %s', (url) => {
    expect(server.isAt(url)).toBe(true);
  });

  test.each(['ws://127.0.0.1:7881', 'ws://media.example', 'wss://media.example.org', 'media', ''])(
    'is not at %s',
    (url) => {
      expect(server.isAt(url)).toBe(false);
    },
  );

  test('makes tokens for an avatar that speaks for an agent', async () => {
    const token = await server.avatarToken({
      room: 'their-room',
      identity: 'troupe-inference-avatar',
      name: 'Mira',
      agent: 'agent-AJ_1',
    });

    expect(decodeJwt(token)).toMatchObject({
      iss: apiKey,
      sub: 'troupe-inference-avatar',
      name: 'Mira',
      kind: 'agent',
      video: { roomJoin: true, room: 'their-room' },
      attributes: { 'lk.publish_on_behalf': 'agent-AJ_1' },
    });
  });
});

test('media servers are parsed from a comma-separated list', () => {
  const text = 'wss://key:se%2Fcret@a.example, ws://devkey:other@10.0.0.1:7880/sub';

  expect(readMediaServers(text)).toEqual([
    { url: 'wss://a.example', apiKey: 'key', apiSecret: 'se/cret' },
    { url: 'ws://10.0.0.1:7880/sub', apiKey: 'devkey', apiSecret: 'other' },
  ]);
});
