import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewBotroom } from '../../src/botrooms/botroom-rooms.ts';
import { startRelay, type RelayServer } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

let server: RelayServer;
let room: NewBotroom;
beforeEach(async () => {
  server = await startRelay();
  room = await server.relay.create();
});
afterEach(() => server.close());

const pair = () => server.pair(room);

describe('a handover', () => {
  test('changes pictures with the first of the new worker; the client’s socket stays', async () => {
    const { client, worker } = await pair();
    worker.show(1);
    await client.hears('ready', 'video 1');

    const successor = await server.worker(room, 2);
    await successor.hears('presence');
    worker.show(2);
    worker.say(2);
    await client.hears('ready', 'video 1', 'video 2', 'audio 2');
    successor.say(3);
    successor.show(4);
    successor.say(4);

    // Sound before its first picture would mix with that of the other worker.
    await client.hears('ready', 'video 1', 'video 2', 'audio 2', 'video 4', 'audio 4');
    expect(await worker.closes()).toEqual({
      code: 4409,
      reason: 'A newer connection replaced this one.',
    });
    expect(client.closed).toBeNull();
  });

  test('gives speech to the newest worker, and interruptions to both', async () => {
    const { client, worker } = await pair();
    const successor = await server.worker(room, 2);
    await successor.hears('presence');

    client.say(1);
    client.send('interrupt');

    await successor.hears('presence', 'audio 1', 'interrupt');
    await worker.hears('presence', 'interrupt');
  });

  test('holds speech for the next worker once this one has released the session', async () => {
    const { client, worker } = await pair();
    worker.show(1);
    worker.send('released');
    worker.show(2);
    await client.hears('ready', 'video 1', 'video 2');

    client.say(1);
    client.send('interrupt');
    client.say(2);
    await worker.hears('presence', 'interrupt');
    const successor = await server.worker(room, 2);
    await successor.hears('presence', 'interrupt', 'audio 2');
    successor.cut();
    await until(() => server.relay.peersOf(room.id).workers === 1);
    client.say(3);
    const thirdWorker = await server.worker(room, 3);

    await thirdWorker.hears('presence', 'audio 3');
    await worker.hears('presence', 'interrupt', 'presence');
  });

  test('ends at once when the client closes after the release', async () => {
    const { client, worker } = await pair();
    worker.send('released');
    worker.show(1);
    await client.hears('ready', 'video 1');

    client.send('close');

    expect((await client.closes()).code).toBe(1000);
    await worker.hears('presence', 'close', 'presence');
  });

  test('refuses a stale worker', async () => {
    await server.worker(room, 2);

    const stale = await server.worker(room, 1);

    expect((await stale.closes()).code).toBe(4409);
  });

  test('after a crash, speech is held for the next worker', async () => {
    const { client, worker } = await pair();
    worker.show(1);
    await client.hears('ready', 'video 1');

    worker.cut();
    await until(() => server.relay.peersOf(room.id).workers === 0);
    client.say(1);
    const successor = await server.worker(room, 2);
    await successor.hears('presence', 'audio 1');
    successor.show(2);

    await client.hears('ready', 'video 1', 'video 2');
    expect(client.closed).toBeNull();
  });
});
