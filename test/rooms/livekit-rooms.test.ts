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

/**
 * The part of the media server's API that rooms use. Records the calls and returns what the test
 * sets.
 */
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
  test('have unguessable names and both addresses', async () => {
    const [firstRoom, secondRoom] = [await rooms.create(), await rooms.create()];

    expect(firstRoom).toMatchObject({ url, publicUrl: 'wss://media.example' });
    expect(firstRoom.name).toMatch(/^troupe-ours-[\w-]{12}$/);
    expect(firstRoom.name).not.toBe(secondRoom.name);
    expect(calls[0]).toMatchObject({ method: 'CreateRoom', body: { name: firstRoom.name } });
  });

  test('admit the avatar as an agent that speaks for another', async () => {
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

  test('give all tokens the life that is asked for', async () => {
    const room = await rooms.create({ tokenSeconds: 90 });
    const { name, avatarToken, agentToken, viewerToken } = room;
    const viewer = { identity: 'viewer', name: 'Zoë', seconds: 30 };
    const short = await rooms.create({ tokenSeconds: 90, viewerSeconds: 30 });
    const otherToken = await rooms.viewerToken(name, viewer);
    for (const token of [short.viewerToken, otherToken]) {
      const { exp = 0, video } = await claimsOf(token);
      expect(exp - Date.now() / 1000).toBeLessThanOrEqual(31);
      expect(video).toMatchObject({ roomJoin: true });
    }
    expect(await claimsOf(otherToken)).toMatchObject({ sub: 'viewer', video: { room: name } });

    for (const token of [avatarToken, agentToken, viewerToken]) {
      const { exp = 0 } = await claimsOf(token);
      expect(exp - Date.now() / 1000).toBeGreaterThan(60);
      expect(exp - Date.now() / 1000).toBeLessThanOrEqual(91);
    }
  });

  test('show the viewer under its name', async () => {
    const { viewerToken } = await rooms.create({ viewerName: 'Zoë' });

    expect(await claimsOf(viewerToken)).toMatchObject({ sub: 'viewer', name: 'Zoë' });
  });

  test('admit agent and viewer to this room only', async () => {
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

  test('accept other identities', async () => {
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
    // Permissions that are not set are granted: publishing, subscribing, data.
    for (const right of ['canPublish', 'canSubscribe', 'canPublishData']) {
      expect(viewer.video).not.toHaveProperty(right);
    }
  });

  test('let only the agent change its attributes', async () => {
    const { agentToken, viewerToken, avatarToken } = await rooms.create();

    expect((await claimsOf(agentToken)).video).toMatchObject({ canUpdateOwnMetadata: true });
    for (const token of [viewerToken, avatarToken])
      expect((await claimsOf(token)).video).not.toHaveProperty('canUpdateOwnMetadata');
  });

  test('carry metadata', async () => {
    await rooms.create({ metadata: '{"troupe.ai_agent":true}' });

    expect(calls.at(-1)).toMatchObject({
      method: 'CreateRoom',
      body: { metadata: '{"troupe.ai_agent":true}' },
    });
  });

  test('can be closed', async () => {
    await rooms.close('room-1');

    expect(calls).toEqual([{ method: 'DeleteRoom', body: { room: 'room-1' } }]);
  });

  test('can be closed when already gone', async () => {
    status = 404;

    await expect(rooms.close('room-1')).resolves.toBeUndefined();
  });

  test('report that they cannot be closed', async () => {
    status = 500;

    await expect(rooms.close('room-1')).rejects.toThrow();
  });

  test('are up if the media server accepts our key', async () => {
    expect(await rooms.isUp()).toBe(true);
    status = 401;
    expect(await rooms.isUp()).toBe(false);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await rooms.isUp()).toBe(false);
  });

  test('answer at_capacity while the media server is away', async () => {
    status = 503;

    await expect(rooms.create()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
  });
});

describe('without a media server of our own', () => {
  test('callers must bring a room, and the service is up', async () => {
    await expect(noRooms.create()).rejects.toMatchObject({
      status: 422,
      problems: [{ loc: ['body', 'url'] }, { loc: ['body', 'token'] }],
    });
    expect(await noRooms.isUp()).toBe(true);
  });

  test('calls are not available', async () => {
    const identities = { avatar: 'avatar_worker', agent: 'user-1', viewer: 'user-1' };

    await expect(noRooms.create({ identities })).rejects.toMatchObject({ status: 501 });
  });
});
