import { expect, test } from 'vitest';
import {
  MAX_RECORD_BYTES,
  RECORD,
  writeRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import { recordCodec } from '../../src/botrooms/client-codec.ts';
import { Botroom } from '../../src/botrooms/botroom.ts';
import { noTraffic } from '../../src/botrooms/traffic.ts';
import { pcm } from '../support/botrooms/botroom-peer.ts';
import { FakeSocket } from '../support/botrooms/fake-socket.ts';
import { startRelay } from '../support/botrooms/relay-server.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { TestClock } from '../support/test-clock.ts';

const SEED = 22;
/** Together 100,000 records; in parts, because a busy machine takes long. */
const PARTS = Array.from({ length: 10 }, (_, part) => SEED + part);
const RECORDS = 10_000;

/** Mulberry32: numbers below `below`. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const PCM = { sample_rate: 16_000, num_channels: 1 };
const VIDEO = { width: 512, height: 512, encoding: 'jpeg', timestamp_ms: 40 };
const valid: Record<'client' | 'worker', [RecordName, object, Uint8Array?][]> = {
  client: [
    ['audio', PCM, pcm(1, 10)],
    ['listen', PCM, pcm(1, 10)],
    ['flush', {}],
    ['interrupt', {}],
    ['hello', { version: 1, wants: ['playback', 'statistics'] }],
    ['caption', { text: 'Hello.' }],
  ],
  worker: [
    ['audio', { sample_rate: 48_000, num_channels: 1 }, pcm(1, 20, 48_000)],
    ['video', VIDEO, Buffer.alloc(300)],
    ['ready', {}],
    ['playback', { event: 'finished', position_ms: 12, interrupted: false }],
    ['caption', { text: 'Hello.' }],
  ],
};
const OVER = new Set([1000, 4410]);
const ODD_VALUES = [null, -1, 0, 1.5, 1e308, '', 'x'.repeat(3_000), [], {}, true, 48_001, '16000'];

type Fuzzed = { message: Buffer; isBinary: boolean; isValid: boolean };

const changed = (message: Buffer): Fuzzed => ({ message, isBinary: true, isValid: false });

/** A valid record, or one changed in one of several ways. Some of the latter are valid too. */
function fuzz(side: 'client' | 'worker', below: (limit: number) => number): Fuzzed {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  const [type, header, blob] = pick(valid[side]);
  const write = (header: object) =>
    Buffer.from(writeRecord(type, header as Record<string, unknown>, blob));
  const message = write(header);
  switch (below(9)) {
    case 0: {
      for (let count = 1 + below(4); count > 0; count--)
        message[below(message.length)] = below(256);
      return changed(message);
    }
    case 1:
      return changed(message.subarray(0, below(message.length)));
    case 2:
      return changed(Buffer.concat([message, Buffer.alloc(1 + below(50), below(256))]));
    case 3:
      return changed(Buffer.from(Array.from({ length: below(60) }, () => below(256))));
    case 4:
      message.writeUInt8(pick([...Object.values(RECORD), below(256)]), 4);
      return changed(message);
    case 5: {
      const name = pick([...Object.keys(header), 'other', '__proto__']);
      return changed(write({ ...header, [name]: pick(ODD_VALUES) }));
    }
    case 6:
      message.writeUInt32BE(pick([0, 1, 4, 0x7fffffff, 0xffffffff, below(5_000)]), pick([0, 5]));
      return changed(message);
    case 7:
      return { message, isBinary: false, isValid: false };
    default:
      return { message, isBinary: true, isValid: true };
  }
}

const onOver = (room: Botroom): void => room.close('session_over');

test.each(PARTS)(
  'fuzzed records crash nothing, and a bad one closes its socket: seed %i',
  (seed) => {
    const below = generator(seed);
    const clock = new TestClock();
    const ended = { good: 0, bad: 0 };
    const wrong: object[] = [];
    let pending = 0;
    let rooms = 0;
    const newRoom = () => {
      rooms += 1;
      const traffic = noTraffic();
      const room = new Botroom({ id: `${rooms}`, clock, log: quietLog, traffic, onOver });
      const client = new FakeSocket();
      const worker = new FakeSocket();
      room.seatClient(client.asSocket, recordCodec);
      room.seatWorker(worker.asSocket, 1);
      return { room, client, worker };
    };

    let current = newRoom();
    for (let count = 0; count < RECORDS; count++) {
      const side = below(2) === 0 ? 'client' : 'worker';
      const { message, isBinary, isValid } = fuzz(side, below);
      const { [side]: socket, room } = current;

      socket.receive(message, isBinary);

      clock.advance(10);
      if (socket.closed === null) {
        ended.good += 1;
        continue;
      }
      ended.bad += 1;
      // A changed type may be the record that ends the session.
      const { code, reason } = socket.closed;
      const hasReason =
        code === 4400 ? socket.errorMessage === reason && reason !== '' : OVER.has(code);
      if (isValid || !hasReason)
        wrong.push({ count, side, code, reason, hex: message.toString('hex') });
      room.close('session_over');
      pending += clock.waiting;
      current = newRoom();
    }
    current.room.close('session_over');

    expect(wrong).toEqual([]);
    expect(pending, 'timers').toBe(0);
    expect(ended.good).toBeGreaterThan(RECORDS / 10);
    expect(ended.bad).toBeGreaterThan(RECORDS / 2);
  },
);

test('bad messages on a real socket close it with a reason, and the relay goes on', async () => {
  const below = generator(SEED);
  const server = await startRelay();
  const room = await server.relay.create();
  let closed = 0;
  for (let count = 0; count < 200; count++) {
    const { message, isBinary } = fuzz('client', below);
    const client = await server.client(room);
    client.socket.send(message, { binary: isBinary });
    client.send('close');

    const { code, reason } = await client.closes();

    expect([1000, 4400]).toContain(code);
    expect(reason).not.toBe('');
    if (code === 4400) closed += 1;
  }
  expect(closed).toBeGreaterThan(100);
  await server.close();
});

test('a message beyond the limit closes the socket before it is read', async () => {
  const server = await startRelay();
  const client = await server.client(await server.relay.create());

  client.socket.send(Buffer.alloc(MAX_RECORD_BYTES + 1));

  expect((await client.closes()).code).toBe(1009);
  await server.close();
});
