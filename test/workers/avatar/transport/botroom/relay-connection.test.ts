import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { MediaRecord } from '#protocol/botroom/records.ts';
import { RelayConnection } from '../../../../../workers/avatar/transport/botroom/relay-connection.ts';
import { LeftRoom } from '../../../../../workers/avatar/transport/transport.ts';
import { MemoryRelay } from '../../../../support/picture/memory-relay.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

const address = {
  controlUrl: 'https://control.test:8443/',
  path: '/v1/botrooms/botroom-1',
  token: 'avatar token',
  epoch: 3,
};

let clock: TestClock;
let relay: MemoryRelay;
let connection: RelayConnection;
let records: MediaRecord[];
let opened: number;

beforeEach(() => {
  clock = new TestClock();
  relay = new MemoryRelay(clock);
  records = [];
  opened = 0;
  connection = new RelayConnection({
    address,
    dial: relay.dial,
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
    onRecord: (record) => records.push(record),
    onOpen: () => (opened += 1),
    random: () => 1,
  });
});

afterEach(() => {
  connection.close();
  expect(clock.waiting).toBe(0);
});

const leaving = (promise: Promise<unknown>) =>
  promise.then(
    (reason) => reason,
    (error: unknown) => (error instanceof LeftRoom ? [error.reason, error.detail] : error),
  );

describe('connection to a relay', () => {
  test('is made with the token and the epoch, to the control plane', async () => {
    await connection.open();

    const { url, headers } = relay.socket.target;
    expect(url.href).toBe('wss://control.test:8443/v1/botrooms/botroom-1?epoch=3');
    expect(headers).toEqual({ authorization: 'Bearer avatar token' });
    expect(records).toMatchObject([{ type: 'presence', header: { client: true } }]);
  });

  test('is open only when the relay has sent something', async () => {
    relay.onDial = (socket) => socket.open();
    const joining = connection.open();
    await settle();

    connection.send('flush');
    const wasOpen = connection.isOpen;
    relay.say('presence', { client: false });
    await joining;

    expect(wasOpen).toBe(false);
    expect(relay.received).toEqual([]);
    expect(connection.isOpen).toBe(true);
  });

  test('rejects with what the relay said', async () => {
    relay.onDial = (socket) => {
      socket.open();
      socket.say('error', { message: 'The token is not valid for this room.' });
      socket.end({ code: 4401, reason: 'The token is not valid for this room.' });
    };

    expect(await leaving(connection.open())).toEqual([
      'room_refused',
      'The token is not valid for this room.',
    ]);
  });

  test('rejects with the status of a refused handshake', async () => {
    relay.onDial = (socket) => socket.end({ status: 404 });

    expect(await leaving(connection.open())).toEqual(['room_closed', 'The relay answered 404.']);
  });

  test('tells an expired token from a wrong one', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url');
    const expired = new RelayConnection({
      address: { ...address, token: `a.${claims}.b` },
      dial: relay.dial,
      clock,
      log: createLog({ name: 'test', level: 'silent' }),
      onRecord: () => {},
    });
    relay.onDial = (socket) => socket.end({ status: 401 });

    expect(await leaving(expired.open())).toEqual(['token_expired', 'The relay answered 401.']);
  });

  test('connects again when it is lost, and drops what is sent meanwhile', async () => {
    await connection.open();
    const lostSocket = relay.socket;
    lostSocket.end();

    connection.send('flush');
    const unsent = connection.unsentBytes;
    await clock.pass(100);
    connection.send('flush');

    expect(unsent).toBe(0);
    expect(relay.sockets).toHaveLength(2);
    expect(relay.received).toHaveLength(1);
    expect(opened).toBe(2);
  });

  test('ends with room_closed after ten seconds without the relay', async () => {
    await connection.open();
    const leftRoom = leaving(connection.ended);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    relay.onDial = (socket) => socket.end({ error: refused });

    relay.socket.end();
    await clock.pass(9_900);
    const openOrWaiting = connection.isOpen || clock.waiting;
    await clock.pass(100);

    expect(openOrWaiting).toBe(1);
    expect(await leftRoom).toEqual(['room_closed', 'connection refused by control.test:8443']);
  });

  test('abandons an attempt without an answer, and does not mind its late one', async () => {
    relay.onDial = () => {};
    const joining = connection.open();
    await clock.pass(5_000);
    const [firstSocket] = relay.sockets;

    relay.onDial = (socket) => relay.admit(socket);
    await clock.pass(200);
    await joining;
    firstSocket!.say('flush');
    firstSocket!.end({ code: 4410 });

    expect(firstSocket!.closedWith).toBe('terminated');
    expect(connection.isOpen).toBe(true);
    expect(records.map(({ type }) => type)).toEqual(['presence']);
  });

  test('resolves with the reason of the session', async () => {
    await connection.open();

    relay.socket.end({ code: 4410, reason: 'The session is over: time_limit.' });

    expect(await connection.ended).toBe('time_limit');
  });

  test('abandons a relay that reads nothing any more', async () => {
    await connection.open();
    relay.socket.unsentBytes = 3 * 1024 * 1024;

    connection.send('flush');
    await clock.pass(100);

    expect(relay.sockets[0]!.closedWith).toBe('terminated');
    expect(connection.isOpen).toBe(true);
  });

  test('ignores messages that are no records', async () => {
    const dial: typeof relay.dial = (target, events) => {
      const socket = relay.dial(target, events);
      void Promise.resolve().then(() => events.received(Buffer.from('text'), false));
      return socket;
    };
    const strange = new RelayConnection({
      address,
      dial,
      clock,
      log: createLog({ name: 'test', level: 'silent' }),
      onRecord: (record) => records.push(record),
    });

    await strange.open();
    strange.close();

    expect(records.map(({ type }) => type)).toEqual(['presence']);
  });

  test('says goodbye when it is closed', async () => {
    await connection.open();

    connection.close();

    expect(relay.socket.closedWith).toBe(1000);
  });
});
