import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewBotroom } from '../../src/botrooms/botroom-rooms.ts';
import type { BotroomPeer } from '../support/botrooms/botroom-peer.ts';
import { pcm } from '../support/botrooms/botroom-peer.ts';
import { startRelay, type RelayServer } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

const PICTURE_BYTES = 100_000;
/** The relay's window for one peer, and what is in flight beyond it. */
const BOUND = 64 * 1024 + 2 * (PICTURE_BYTES + 1_000);

let server: RelayServer;
let room: NewBotroom;
let client: BotroomPeer;
let worker: BotroomPeer;
beforeEach(async () => {
  server = await startRelay();
  room = await server.relay.create();
  client = await server.client(room);
  worker = await server.worker(room);
  await worker.hears('presence');
});
afterEach(() => server.close());

/** Sends, and waits until the message has left this process's memory. */
const flush = (peer: BotroomPeer, send: () => void): Promise<void> => {
  send();
  return until(() => peer.socket.bufferedAmount === 0);
};

describe('a client that stops reading', () => {
  test('loses pictures, and the relay’s memory stays flat', async () => {
    await flush(worker, () => worker.show(1, PICTURE_BYTES));
    await client.hears('ready', 'video 1');
    client.socket.pause();
    let largest = 0;

    // Far more than the kernel's buffers take.
    for (let count = 0; count < 500; count++) {
      await flush(worker, () => worker.show(count % 256, PICTURE_BYTES));
      largest = Math.max(largest, server.relay.unsentBytes);
    }
    await until(() => server.relay.traffic.picturesDropped > 300);

    expect(largest).toBeGreaterThan(64 * 1024);
    expect(largest).toBeLessThan(BOUND);
    // Once it reads again, it gets the newest.
    client.socket.resume();
    worker.send('ready');
    await until(() => server.relay.unsentBytes === 0);
    await until(() => client.story.at(-1) === `video ${499 % 256}`);
  });

  test('is closed for ten seconds of unsent sound, without having lost any before', async () => {
    client.socket.pause();
    const header = { sample_rate: 48_000, num_channels: 2 };
    let largest = 0;

    // Each second is 192 kB; the kernel takes dozens of them.
    for (let count = 0; server.relay.peersOf(room.id).clients === 1; count++) {
      expect(count).toBeLessThan(1_000);
      await flush(worker, () => worker.send('audio', header, pcm(count % 256, 2_000, 48_000)));
      largest = Math.max(largest, server.relay.unsentBytes);
    }
    expect(largest).toBeLessThan(BOUND + 12 * 192_000);
    client.socket.resume();

    expect(await client.closes()).toEqual({
      code: 4408,
      reason: 'More than ten seconds of sound were not read.',
    });
    const sounds = client.of('audio').map(({ blob }) => blob[0]);
    expect(sounds).toEqual(sounds.map((_, at) => at % 256));
  });
});

describe('a worker that stops reading', () => {
  test('makes the client wait; nothing is lost and the relay’s memory stays flat', async () => {
    worker.socket.pause();
    const seconds = 200;
    let largest = 0;
    for (let mark = 0; mark < seconds; mark++) {
      client.send(
        'audio',
        { sample_rate: 48_000, num_channels: 1 },
        pcm(mark % 256, 1_000, 48_000),
      );
      // Within the client's limits, and less than until the worker misses a ping.
      server.clock.advance(70);
      await new Promise((resolve) => setImmediate(resolve));
      largest = Math.max(largest, server.relay.unsentBytes);
    }
    await until(() => server.relay.unsentBytes > 10 * 96_000);
    largest = Math.max(largest, server.relay.unsentBytes);

    // Ten seconds, and what came with the last of them in one read.
    expect(largest).toBeLessThan(BOUND + 13 * 96_000);
    expect(client.socket.bufferedAmount).toBeGreaterThan(0);
    worker.socket.resume();
    await until(() => worker.count('audio') === seconds);
    expect(worker.of('audio').map(({ blob }) => blob[0])).toEqual(
      Array.from({ length: seconds }, (_, mark) => mark % 256),
    );
  });
});
