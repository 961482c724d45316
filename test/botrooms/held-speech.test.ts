import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewBotroom } from '../../src/botrooms/botroom-rooms.ts';
import type { BotroomPeer } from '../support/botrooms/botroom-peer.ts';
import { startRelay, type RelayServer } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

let server: RelayServer;
let room: NewBotroom;
beforeEach(async () => {
  server = await startRelay();
  room = await server.relay.create();
});
afterEach(() => server.close());

describe('while no worker is there', () => {
  test('speech is held and then given to the one that comes', async () => {
    const client = await server.client(room);
    client.say(1);
    client.say(2);
    client.send('flush');

    // Whether the worker or the speech comes first, the order is the same.
    const worker = await server.worker(room);

    await worker.hears('presence', 'audio 1', 'audio 2', 'flush');
  });

  test('an interruption drops what was held before it', async () => {
    const client = await server.client(room);
    client.say(1);
    client.send('flush');
    client.send('interrupt');
    client.say(2);
    await allRead(client);

    const worker = await server.worker(room);

    await worker.hears('presence', 'interrupt', 'audio 2');
  });

  test('a client with more than can be held waits, and nothing is lost', async () => {
    const client = await server.client(room);
    const seconds = 100;
    for (let mark = 0; mark < seconds; mark++) client.say(mark, 1_000);
    await until(() => server.relay.traffic.bytesFromClients > 30 * 32_000);
    await stableRead();

    const heldBytes = server.relay.traffic.bytesFromClients;
    const worker = await server.worker(room);
    await until(() => worker.count('audio') === seconds);

    // 30 seconds, and what came with the last of them in one read.
    expect(heldBytes).toBeLessThan(36 * 32_000);
    expect(worker.of('audio').map(({ blob }) => blob[0])).toEqual(
      Array.from({ length: seconds }, (_, mark) => mark),
    );
  });

  test('a client cannot fill the memory with records that carry no sound', async () => {
    const client = await server.client(room);
    const count = 20;
    for (let mark = 1; mark <= count; mark++) client.send('flush', {}, Buffer.alloc(256_000, mark));
    await until(() => server.relay.traffic.bytesFromClients > 2 * 256_000);
    await stableRead();

    // The limit, and what came with the last of them in one read.
    expect(server.relay.traffic.bytesFromClients).toBeLessThan(5 * 256_000);
    const worker = await server.worker(room);
    await until(() => worker.count('flush') === count);
  });

  test('the sound of the user is not held', async () => {
    const client = await server.client(room);
    client.send('listen', { sample_rate: 16_000, num_channels: 1 }, Buffer.alloc(640, 1));
    client.say(2);
    await allRead(client);

    const worker = await server.worker(room);

    await worker.hears('presence', 'audio 2');
  });

  test('a client is told after a minute that no avatar came', async () => {
    const client = await server.client(room);

    for (let count = 0; count < 4; count++) {
      // A sign of life: no ping is answered while time passes.
      client.send('flush');
      await allRead(client);
      server.clock.advance(15_000);
    }

    expect(await client.closes()).toEqual({ code: 4410, reason: 'No avatar came.' });
    expect(server.relay.size).toBe(0);
  });

  test('an empty room is kept for ten minutes', async () => {
    server.clock.advance(10 * 60_000 - 1);
    expect(server.relay.size).toBe(1);

    server.clock.advance(1);

    expect(server.relay.size).toBe(0);
  });
});

/** The relay has read all that the client sent. */
async function allRead(client: BotroomPeer): Promise<void> {
  await until(() => server.relay.traffic.bytesFromClients === client.sentBytes);
}

/** The relay reads no more. */
async function stableRead(): Promise<void> {
  let previousBytes = -1;
  await until(async () => {
    const now = server.relay.traffic.bytesFromClients;
    const isStable = now === previousBytes;
    previousBytes = now;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    return isStable;
  });
}
