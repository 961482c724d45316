import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TokenVerifier } from 'livekit-server-sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { liveKitRooms } from '../../src/rooms/livekit-rooms.ts';
import { noRooms } from '../../src/rooms/no-rooms.ts';
import type { Rooms } from '../../src/rooms/rooms.ts';

const API_KEY = 'key';
const API_SECRET = 'a secret of at least thirty-two letters';

/** The media server's own API, as far as rooms use it: it remembers the calls and answers what the test says. */
let calls: { method: string; body: Record<string, unknown> }[];
let status: number;
let server: Server;
let url: string;
let rooms: Rooms;

beforeEach(async () => {
  calls = [];
  status = 200;
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const method = request.url?.split('/').at(-1) ?? '';
      calls.push({ method, body: JSON.parse(text) as Record<string, unknown> });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? '{}' : JSON.stringify({ code: 'x', msg: 'no' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  rooms = liveKitRooms({
    url,
    publicUrl: 'wss://media.example',
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    mark: 'ours',
  });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

const claimsOf = (token: string) => new TokenVerifier(API_KEY, API_SECRET).verify(token);

describe('rooms on the media server', () => {
  test('are made under names that nobody guesses, with both addresses', async () => {
    const [first, second] = [await rooms.create(), await rooms.create()];

    expect(first).toMatchObject({ url, publicUrl: 'wss://media.example' });
    expect(first.name).toMatch(/^troupe-ours-[\w-]{12}$/);
    expect(first.name).not.toBe(second.name);
    expect(calls[0]).toMatchObject({ method: 'CreateRoom', body: { name: first.name } });
  });

  test('let the avatar in as an agent that speaks for another', async () => {
    const { name, avatarToken } = await rooms.create();

    const claims = await claimsOf(avatarToken);

    expect(claims).toMatchObject({
      sub: 'troupe-avatar',
      kind: 'agent',
      attributes: { 'lk.publish_on_behalf': 'agent' },
      video: { roomJoin: true, room: name },
    });
    expect(claims.video).not.toHaveProperty('roomAdmin');
  });

  test('let agent and viewer in, each into this room only', async () => {
    const { name, agentToken, viewerToken } = await rooms.create();

    const agent = await claimsOf(agentToken);
    const viewer = await claimsOf(viewerToken);

    expect(agent).toMatchObject({
      sub: 'agent',
      kind: 'agent',
      video: { roomJoin: true, room: name },
    });
    expect(viewer).toMatchObject({ sub: 'viewer', video: { roomJoin: true, room: name } });
    expect(viewer.kind ?? 'standard').toBe('standard');
  });

  test('take other identities: the avatar speaks for the one that is named as the agent', async () => {
    const { avatarToken, viewerToken } = await rooms.create({
      identities: { avatar: 'avatar_worker', agent: 'user-1', viewer: 'user-1' },
    });

    const avatar = await claimsOf(avatarToken);
    const viewer = await claimsOf(viewerToken);

    expect(avatar).toMatchObject({
      sub: 'avatar_worker',
      kind: 'agent',
      attributes: { 'lk.publish_on_behalf': 'user-1' },
    });
    expect(viewer).toMatchObject({ sub: 'user-1', video: { roomJoin: true } });
    // What is not said is allowed: publishing, subscribing, data.
    for (const right of ['canPublish', 'canSubscribe', 'canPublishData']) {
      expect(viewer.video).not.toHaveProperty(right);
    }
  });

  test('let the agent, and nobody else, say what state it is in', async () => {
    const { agentToken, viewerToken, avatarToken } = await rooms.create();

    expect((await claimsOf(agentToken)).video).toMatchObject({ canUpdateOwnMetadata: true });
    for (const token of [viewerToken, avatarToken])
      expect((await claimsOf(token)).video).not.toHaveProperty('canUpdateOwnMetadata');
  });

  test('carry what is to be said of them', async () => {
    await rooms.create({ metadata: '{"troupe.ai_agent":true}' });

    expect(calls.at(-1)).toMatchObject({
      method: 'CreateRoom',
      body: { metadata: '{"troupe.ai_agent":true}' },
    });
  });

  test('are closed', async () => {
    await rooms.close('room-1');

    expect(calls).toEqual([{ method: 'DeleteRoom', body: { room: 'room-1' } }]);
  });

  test('may be gone already', async () => {
    status = 404;

    await expect(rooms.close('room-1')).resolves.toBeUndefined();
  });

  test('say it when they cannot be closed', async () => {
    status = 500;

    await expect(rooms.close('room-1')).rejects.toThrow();
  });

  test('are up when the media server takes our key', async () => {
    expect(await rooms.isUp()).toBe(true);
    status = 401;
    expect(await rooms.isUp()).toBe(false);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await rooms.isUp()).toBe(false);
  });

  test('cannot be made while the media server is away: try again', async () => {
    status = 503;

    await expect(rooms.create()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
  });
});

describe('without a media server of our own', () => {
  test('the caller must bring a room, and nothing is missing', async () => {
    await expect(noRooms.create()).rejects.toMatchObject({
      status: 422,
      problems: [{ loc: ['body', 'url'] }, { loc: ['body', 'token'] }],
    });
    expect(await noRooms.isUp()).toBe(true);
  });

  test('there is none for a call', async () => {
    const identities = { avatar: 'avatar_worker', agent: 'user-1', viewer: 'user-1' };

    await expect(noRooms.create({ identities })).rejects.toMatchObject({ status: 501 });
  });
});
