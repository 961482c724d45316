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

describe('a botroom', () => {
  test('gives the speech of the client to the worker', async () => {
    const { client, worker } = await pair();

    client.say(1);
    client.send('flush');
    client.send('interrupt');

    await worker.hears('presence', 'audio 1', 'flush', 'interrupt');
    expect(worker.of('audio')[0]?.header).toEqual({ sample_rate: 16_000, num_channels: 1 });
  });

  test('gives pictures and sound to the client, after one ready', async () => {
    const { client, worker } = await pair();

    worker.show(1);
    worker.say(1);
    worker.show(2);

    await client.hears('ready', 'video 1', 'audio 1', 'video 2');
  });

  test('is ready without pictures when the avatar is shown elsewhere', async () => {
    const { client, worker } = await pair();

    worker.send('ready');
    await client.hears('ready');
    const secondClient = await server.client(room);

    await secondClient.hears('ready');
  });

  test('has the published subprotocol and no compression', async () => {
    const { client } = await pair();

    expect(client.socket.protocol).toBe('protoface.pipecat.media.v1');
    expect(client.socket.extensions).toBe('');
  });

  test('tells the worker whether the client is there', async () => {
    const worker = await server.worker(room);
    const presence = () => worker.of('presence').map(({ header }) => header['client']);
    await until(() => presence().length === 1);

    const client = await server.client(room);
    await until(() => presence().length === 2);
    client.cut();
    await until(() => presence().length === 3);

    expect(presence()).toEqual([false, true, false]);
  });

  test('tells the worker whether the client knows more than the published protocol', async () => {
    const { client, worker } = await pair();
    const presence = () => worker.of('presence').map(({ header }) => header);
    client.hello();
    await until(() => presence().length === 2);

    await server.client(room);
    await until(() => presence().length === 3);

    expect(presence()).toEqual([
      { client: true, plain: true },
      { client: true, plain: false },
      { client: true, plain: true },
    ]);
  });

  test('passes the client’s close on and ends its socket', async () => {
    const { client, worker } = await pair();

    client.send('close');

    expect(await client.closes()).toEqual({ code: 1000, reason: 'The client ended the session.' });
    expect(client.of('error')).toEqual([]);
    await worker.hears('presence', 'close', 'presence');
  });

  test('sends the records of its own only to a client that announced them', async () => {
    const { client, worker } = await pair();
    const speak = () => {
      worker.send('playback', { event: 'started' });
      worker.send('caption', { text: 'Hello.' });
      worker.show(1);
    };

    speak();
    await client.hears('ready', 'video 1');
    client.hello('playback', 'caption', 'a later one');
    client.send('flush');
    await worker.hears('presence', 'presence', 'flush');
    speak();

    await client.hears('ready', 'video 1', 'playback', 'caption', 'video 1');
  });

  test('reports pictures every five seconds to a client that wants it', async () => {
    const { client, worker } = await pair();
    client.hello('statistics');
    client.send('flush');
    await worker.hears('presence', 'presence', 'flush');
    worker.show(1);
    worker.show(2);
    await client.hears('ready', 'video 1', 'video 2');

    server.clock.advance(5_000);

    await client.hears('ready', 'video 1', 'video 2', 'statistics');
    expect(client.of('statistics')[0]?.header).toEqual({ pictures_sent: 2, pictures_dropped: 0 });
  });
});

describe('a client', () => {
  test('comes back with its token and gets the last picture', async () => {
    const { client, worker } = await pair();
    worker.show(1);
    worker.show(2);
    await client.hears('ready', 'video 1', 'video 2');
    client.cut();

    const newClient = await server.client(room);

    await newClient.hears('ready', 'video 2');
  });

  test('that connects twice keeps the newer socket; the worker notices nothing', async () => {
    const { client, worker } = await pair();

    const newClient = await server.client(room);
    newClient.say(1);

    expect((await client.closes()).code).toBe(4409);
    expect(client.of('error')[0]?.header).toEqual({
      message: 'A newer connection replaced this one.',
    });
    await worker.hears('presence', 'audio 1');
  });

  test('that sends faster than the limit is closed with the reason', async () => {
    const { client } = await pair();

    for (let count = 0; count < 4_001; count++) client.send('flush');

    expect(await client.closes()).toEqual({ code: 4429, reason: 'Too many records or bytes.' });
  });

  test('may send speech at four times real time in short records', async () => {
    const { client, worker } = await pair();

    // 20 seconds of 10 ms records, at the end of the burst.
    for (let second = 0; second < 20; second++) {
      for (let count = 0; count < 400; count++) client.say(second, 10);
      await until(() => worker.count('audio') === 400 * (second + 1));
      server.clock.advance(1_000);
    }

    expect(client.closed).toBeNull();
  });

  test('that vanishes is noticed by unanswered pings', async () => {
    const { client, worker } = await pair();
    client.socket.pause();

    server.clock.advance(15_000);
    worker.say(1);
    await until(() => server.relay.traffic.bytesToClients > 0);
    server.clock.advance(15_000);

    await until(() => worker.count('presence') === 2);
    expect(worker.of('presence')[1]?.header).toEqual({ client: false });
  });
});

describe('a session that ends', () => {
  test('closes both sockets with the reason', async () => {
    const { client, worker } = await pair();

    await server.relay.end({ token: room.avatarToken }, 'time_limit');

    const closure = { code: 4410, reason: 'The session is over: time_limit.' };
    expect(await client.closes()).toEqual(closure);
    expect(await worker.closes()).toEqual(closure);
    expect(client.of('error')[0]?.header).toEqual({ message: closure.reason });
    expect((await (await server.client(room)).closes()).code).toBe(4410);
  });
});

describe('a control plane that stops', () => {
  test('tells both why', async () => {
    const { client, worker } = await pair();

    await server.stop();

    const stopping = { code: 1001, reason: 'The service is stopping.' };
    expect(await client.closes()).toEqual(stopping);
    expect(await worker.closes()).toEqual(stopping);
    expect(client.of('error')[0]?.header).toEqual({ message: stopping.reason });
  });

  test('ends sockets that do not answer', async () => {
    const { client } = await pair();
    client.socket.pause();

    const stopped = server.stop();
    await until(() => server.clock.waiting > 0);
    server.clock.advance(1_000);

    await stopped;
    client.cut();
  });

  test('is found again after a restart: the tokens make the room', async () => {
    const { port, clock } = server;
    await server.stop();
    clock.advance(1_000);
    const restarted = await startRelay({ port, clock });

    const worker = await restarted.worker(room, 1);
    await worker.hears('presence');
    const client = await restarted.client(room);
    client.say(1);

    await worker.hears('presence', 'presence', 'audio 1');
    await restarted.close();
  });
});
