import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BOTROOM_PROTOCOL } from '#protocol/botroom/records.ts';
import { WebSocket } from 'ws';
import type { NewBotroom } from '../../src/botrooms/botroom-rooms.ts';
import { SeatTokens } from '../../src/botrooms/tokens.ts';
import { startRelay, SECRET, type RelayServer } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

let server: RelayServer;
let room: NewBotroom;
beforeEach(async () => {
  server = await startRelay();
  room = await server.relay.create();
});
afterEach(() => server.close());

const wrong = { code: 4401, reason: 'The token is not valid for this room.' };

/** How a socket with this token ends. */
async function refusal(token: string, path = room.path) {
  const peer = await server.connect(path, token);
  const closed = await peer.closes();
  expect(peer.of('error')[0]?.header).toEqual({ message: closed.reason });
  return closed;
}

describe('a socket of a botroom', () => {
  test('may show its token as Bearer only', async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${room.path}`, {
      headers: { authorization: `Bearer ${room.clientToken}` },
    });

    await until(() => socket.readyState === WebSocket.OPEN);

    expect(socket.protocol).toBe('');
    socket.terminate();
  });

  test('may show it twice, as the published client does', async () => {
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}${room.path}`,
      [BOTROOM_PROTOCOL, room.clientToken],
      { headers: { authorization: `Bearer ${room.clientToken}` } },
    );

    await until(() => socket.readyState === WebSocket.OPEN);

    expect(socket.protocol).toBe(BOTROOM_PROTOCOL);
    socket.terminate();
  });

  test('without a token is refused before the upgrade', async () => {
    await expect(server.connect(room.path, null)).rejects.toThrow('401');
  });

  test.each([
    ['no token at all', () => 'nonsense'],
    ['changed', () => room.clientToken.replace(/.{4}$/, 'AAAA')],
    ['unsigned', () => `${room.clientToken.split('.').slice(0, 2).join('.')}.`],
  ])('with a token that is %s is told so', async (_what, token) => {
    expect(await refusal(token())).toEqual(wrong);
  });

  test('with the token of another room is told so', async () => {
    const otherRoom = await server.relay.create();

    expect(await refusal(otherRoom.clientToken)).toEqual(wrong);
  });

  test('with the token of another service is told so', async () => {
    const foreign = new SeatTokens(Buffer.alloc(32, 'another'), server.clock);
    const token = await foreign.sign({ room: room.id, seat: 'client', node: server.url });

    expect(await refusal(token)).toEqual(wrong);
  });

  test('with an expired token is told so; a worker’s outlasts the session', async () => {
    server.clock.advance(10 * 60_000 + 31_000);

    expect(await refusal(room.clientToken)).toEqual({
      code: 4401,
      reason: 'The token has expired.',
    });
    server.clock.advance(60 * 24 * 60 * 60_000);
    const tokens = new SeatTokens(SECRET, server.clock);
    expect(await tokens.read(room.avatarToken)).toMatchObject({ seat: 'avatar', room: room.id });
  });

  test('gets another token for an expired one', async () => {
    const { clientToken } = room;
    server.clock.advance(9 * 60_000);
    const newToken = await server.relay.clientToken(clientToken);
    server.clock.advance(59_000);

    const client = await server.connect(room.path, newToken);

    expect(client.closed).toBeNull();
    await expect(server.relay.clientToken('nonsense')).rejects.toThrow();
  });

  test('of a room that is over, or of none, is told so', async () => {
    await server.relay.end({ token: room.avatarToken }, 'agent_left');
    const tokens = new SeatTokens(SECRET, server.clock);
    const strayToken = await tokens.sign({
      room: 'botroom-none',
      seat: 'client',
      node: server.url,
    });

    expect((await refusal(room.clientToken)).code).toBe(4410);
    expect(await refusal(strayToken, '/v1/botrooms/botroom-none')).toEqual({
      code: 4404,
      reason: 'There is no such room.',
    });
  });

  test.each(['', '?epoch=', '?epoch=x', '?epoch=0', '?epoch=1.5'])(
    'of a worker with the query "%s" is refused',
    async (query) => {
      await expect(server.connect(`${room.path}${query}`, room.avatarToken)).rejects.toThrow('400');
    },
  );

  test('with wrong tokens is refused before the upgrade after 60 in a minute', async () => {
    for (let count = 0; count < 60; count++)
      await expect(server.connect(room.path, null)).rejects.toThrow('401');

    await expect(server.connect(room.path, 'nonsense')).rejects.toThrow('429');
    const client = await server.client(room);

    expect(client.closed).toBeNull();
    server.clock.advance(60_000);
    await expect(server.connect(room.path, null)).rejects.toThrow('401');
  });

  test('on another path stays with the API', async () => {
    await expect(server.connect('/v1/botrooms', room.clientToken)).rejects.toThrow('200');
  });

  test('is not let in by a relay that stops', async () => {
    await server.relay.close();

    await expect(server.client(room)).rejects.toThrow('200');
  });
});
