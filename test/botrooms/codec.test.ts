import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RecordError } from '#protocol/botroom/records.ts';
import type { NewBotroom } from '../../src/botrooms/botroom-rooms.ts';
import type { ClientCodec, CodecPeer } from '../../src/botrooms/client-codec.ts';
import { startRelay, type RelayServer } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

/** A vendor's protocol of words; a picture comes together with the sound before it. */
function words(): ClientCodec {
  let sound = 0;
  return {
    wants: ['playback'],
    read(message, isBinary) {
      const blob = new Uint8Array();
      if (!isBinary && message.toString() === 'stop')
        return [{ type: 'interrupt', header: {}, blob }];
      throw new RecordError('Only "stop" is known.');
    },
    write({ type, header, blob }) {
      if (type === 'ready') return ['welcome', 'to the room'];
      if (type === 'error') return [`sorry: ${String(header['message'])}`];
      if (type === 'audio') {
        sound += blob.length;
        return [];
      }
      if (type !== 'video') return [type];
      const message = `picture with ${sound}`;
      sound = 0;
      return [message];
    },
  };
}

let server: RelayServer;
let room: NewBotroom;
let client: WebSocket;
const events: string[] = [];
beforeEach(async () => {
  server = await startRelay();
  room = await server.relay.create();
  server.upgrades.add({
    matches: (path) => path === '/vendor',
    admit: async (upgrade) => server.relay.seatClient(room.avatarToken, upgrade, words()),
  });
  events.length = 0;
  client = await connect();
});
afterEach(async () => {
  client.terminate();
  await server.close();
});

async function connect(path = '/vendor'): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`);
  socket.on('message', (data) => events.push((data as Buffer).toString()));
  await once(socket, 'open');
  return socket;
}

test('a client of another protocol shares the room through its codec', async () => {
  const worker = await server.worker(room);

  worker.say(1, 20);
  worker.say(1, 20);
  worker.show(1);
  worker.send('playback', { event: 'started' });
  worker.send('caption', { text: 'not wanted' });
  worker.show(2);
  client.send('stop');

  await worker.hears('presence', 'interrupt');
  await until(() => events.length === 5);
  expect(events).toEqual([
    'welcome',
    'to the room',
    'picture with 1280',
    'playback',
    'picture with 0',
  ]);
});

test('the reason of a close is told in its own protocol', async () => {
  client.send('go on');

  const [code, reason] = (await once(client, 'close')) as [number, Buffer];

  expect([code, reason.toString()]).toEqual([4400, 'Only "stop" is known.']);
  expect(events).toEqual(['sorry: Only "stop" is known.']);
});

test('a room that is over is told too', async () => {
  await server.relay.end({ token: room.avatarToken }, 'removed');

  const late = await connect();

  const [code] = (await once(late, 'close')) as [number];
  expect([code, events.at(-1)]).toEqual([4410, 'sorry: The session is over.']);
});

test('a client that leaves unread what its codec sends unasked is closed', async () => {
  const unasked = Promise.withResolvers<CodecPeer>();
  let isStopped = false;
  const open = (peer: CodecPeer) => {
    unasked.resolve(peer);
    return () => {
      isStopped = true;
    };
  };
  server.upgrades.add({
    matches: (path) => path === '/talkative',
    admit: async (upgrade) =>
      server.relay.seatClient(room.avatarToken, upgrade, { ...words(), open }),
  });
  const idle = await connect('/talkative');
  idle.pause();
  const peer = await unasked.promise;

  for (let count = 0; count < 300; count++) peer.send(Buffer.alloc(100_000));

  expect(isStopped).toBe(true);
  idle.resume();
  const [code] = (await once(idle, 'close')) as [number];
  expect(code).toBe(4408);
});
