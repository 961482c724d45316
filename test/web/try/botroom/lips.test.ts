import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeRecord } from '../../../../src/protocol/botroom/records.ts';
import { BotroomSeats } from '../../../../src/web/try/botroom/botroom-seats.ts';
import type { Stage } from '../../../../src/web/try/session/seats.ts';
import { FakeAudioContext } from '../../../support/pages/fake-audio-context.ts';
import { FakeWebSocket } from '../../../support/pages/fake-web-socket.ts';

const PIECE_MS = 20;
const PICTURE_MS = 40;
const SCREEN_MS = 16;
const OUTPUT_LATENCY_MS = 30;

let seats: BotroomSeats;
let context: FakeAudioContext;
let frame: (() => void) | null;
/** When each picture was drawn, and the times at which it and the sound heard then were sent. */
let drawn: { atMs: number; picture: number; sound: number | undefined }[];

beforeEach(async () => {
  drawn = [];
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('location', new URL('http://own.example'));
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal('WebSocket', FakeWebSocket);
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => (frame = run));
  vi.stubGlobal('createImageBitmap', async (jpeg: Blob) => ({
    sentAt: Number(await jpeg.text()),
    close: () => {},
  }));
  const canvas = { getContext: () => ({ drawImage: onDrawn }) };
  const audio = Object.assign(new EventTarget(), { muted: false });
  const stage = { canvas, audio, level: { listen: () => {} } } as unknown as Stage;
  const events = { dispatch: () => {}, onPicture: () => {}, onGone: () => {}, onLost: () => {} };
  seats = new BotroomSeats(stage, async () => new Int16Array(), events);
  context = FakeAudioContext.instances.pop()!;
  context.outputLatency = OUTPUT_LATENCY_MS / 1000;
  const joined = seats.join({ id: 's', url: 'ws://own.example/v1/botrooms/b', token: 't' });
  FakeWebSocket.instances.at(-1)!.opens();
  await joined;
});
afterEach(async () => {
  await seats.close();
  vi.unstubAllGlobals();
});

function onDrawn({ sentAt }: { sentAt: number }): void {
  const atMs = Math.round(context.currentTime * 1000);
  const sounding = context.heardAt((atMs - OUTPUT_LATENCY_MS) / 1000);
  drawn.push({ atMs, picture: sentAt, sound: sounding[0] && sounding[0] * PIECE_MS });
}

/** Sent by the worker at `ms`: sound that begins then, and the picture of that moment. */
function recordsAt(ms: number): Uint8Array[] {
  const pcm = new Uint8Array(new Int16Array(PIECE_MS * 48).fill(ms / PIECE_MS).buffer);
  const picture = new TextEncoder().encode(String(ms));
  return [
    ...(ms % PIECE_MS === 0
      ? [writeRecord('audio', { sample_rate: 48_000, num_channels: 1 }, pcm)]
      : []),
    ...(ms % PICTURE_MS === 0 ? [writeRecord('video', {}, picture)] : []),
  ];
}

/** Runs for `durationMs`. `arrivalOf`: when a record that is sent at a time arrives. */
async function run(durationMs: number, arrivalOf: (ms: number) => number): Promise<void> {
  const network = new Map<number, Uint8Array[]>();
  let lastArrival = 0;
  for (let ms = PICTURE_MS; ms < durationMs; ms += PIECE_MS) {
    lastArrival = Math.max(lastArrival, arrivalOf(ms));
    network.set(lastArrival, [...(network.get(lastArrival) ?? []), ...recordsAt(ms)]);
  }
  for (let ms = 0; ms < durationMs; ms++) {
    context.currentTime = ms / 1000;
    for (const message of network.get(ms) ?? []) FakeWebSocket.instances.at(-1)!.receive(message);
    if (ms % SCREEN_MS !== 0) continue;
    frame?.();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
}

describe('lips and sound in a botroom', () => {
  test('a picture is drawn while the sound is heard beside which it was sent', async () => {
    await run(3_000, (ms) => ms + 30 + ((ms * 7) % 45));

    const lateMs = drawn.slice(1).map(({ picture, sound }) => sound! - picture);
    expect(lateMs.length).toBeGreaterThan(60);
    expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...lateMs)).toBeLessThanOrEqual(PIECE_MS);
  });

  test('go on, together, after the network stalled for longer than sound may wait', async () => {
    await run(9_000, (ms) => (ms < 1_000 || ms > 6_000 ? ms + 30 : 6_030));

    const laterPictures = drawn.filter(({ atMs }) => atMs > 8_200);
    expect(laterPictures.length).toBeGreaterThan(15);
    for (const { picture, sound } of laterPictures)
      expect(Math.abs(sound! - picture)).toBeLessThan(60);
  });
});
