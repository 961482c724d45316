import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  BOTROOM_PROTOCOL,
  readRecord,
  writeRecord,
  type MediaRecord,
} from '../../../../src/protocol/botroom/records.ts';
import { BotroomGone, noticeOf } from '../../../../src/web/try/notices.ts';
import { BotroomSeats } from '../../../../src/web/try/botroom/botroom-seats.ts';
import type { Stage } from '../../../../src/web/try/session/seats.ts';
import type { TryEvent } from '../../../../src/web/try/session/try-state.ts';
import { FakeAudioContext } from '../../../support/pages/fake-audio-context.ts';
import { until } from '../../../support/until.ts';

const PCM = { sample_rate: 48_000, num_channels: 1 };
const piece = new Uint8Array(1_920).fill(1);

let server: Server;
let seats: BotroomSeats;
let context: FakeAudioContext;
let events: TryEvent[];
let losses: Error[];
/** The room's side. */
let socket: WebSocket;
let received: MediaRecord[];
let offered: string | undefined;
let drawn: number;
/** Animation frames. */
let frames = 0;
const audio = Object.assign(new EventTarget(), { muted: false });

beforeEach(async () => {
  [events, losses, received, drawn] = [[], [], [], 0];
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  new WebSocketServer({ server }).on('connection', (opened, request) => {
    socket = opened;
    offered = request.headers['sec-websocket-protocol'];
    socket.on('message', (data) => received.push(readRecord(data as Buffer)));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubGlobal('location', new URL(origin));
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frames += 1;
    setImmediate(run);
  });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 512, height: 512, close: () => {} }));
  const canvas = { getContext: () => ({ drawImage: () => (drawn += 1) }) };
  const stage = { canvas, audio, level: { listen: () => {} } } as unknown as Stage;
  seats = new BotroomSeats(stage, async () => new Int16Array(16_000), {
    dispatch: (event) => events.push(event),
    onPicture: () => {},
    onGone: () => {},
    onLost: (error) => losses.push(error),
  });
  context = FakeAudioContext.instances.pop()!;
});
afterEach(async () => {
  await seats.close();
  server.closeAllConnections();
  server.close();
  vi.unstubAllGlobals();
});

const join = async () => {
  const url = 'wss://public.example/v1/botrooms/b';
  await seats.join({ id: 's', url, token: 'the-token' });
  await until(() => received.length === 1);
  send('ready');
};
const send = (...record: Parameters<typeof writeRecord>) => socket.send(writeRecord(...record));
const receivedTypes = () => received.map(({ type }) => type);
const isOver = () => events.some(({ type }) => type === 'finished');

describe('the page in a botroom', () => {
  test('connects at its own origin with the token as a subprotocol, and asks for playback', async () => {
    await join();

    expect(offered).toBe(`${BOTROOM_PROTOCOL}, the-token`);
    expect(received[0]).toMatchObject({
      type: 'hello',
      header: { version: 1, wants: ['playback'] },
    });
  });

  test('sends an utterance in pieces, ends it, and takes the report on it', async () => {
    await join();
    seats.say(1, 'Hello.', 'nora');
    await until(() => receivedTypes().includes('flush'));
    send('playback', { event: 'started' });
    send('playback', { event: 'finished', position_ms: 980 });
    await until(isOver);

    expect(receivedTypes()).toEqual(['hello', ...Array<string>(5).fill('audio'), 'flush']);
    expect(received[1]).toMatchObject({ header: { sample_rate: 16_000, num_channels: 1 } });
    expect(events.filter(({ type }) => type !== 'wire')).toEqual([
      { type: 'synthesised', id: 1, text: 'Hello.', seconds: 1 },
      { type: 'started', id: 1 },
      { type: 'finished', id: 1, heardSeconds: 0.98, isInterrupted: false },
    ]);
  });

  test('falls silent at once when stopped, until the avatar has stopped, too', async () => {
    await join();
    seats.say(1, 'Hello.', 'nora');
    await until(() => receivedTypes().includes('flush'));
    send('audio', PCM, piece);
    await until(() => context.started.length === 1);

    await seats.stop();
    const silent = context.heardAt(0.08);
    send('audio', PCM, piece);
    send('playback', { event: 'finished', position_ms: 20, interrupted: true });
    await until(isOver);
    const playedOnTheWay = context.started.length;
    send('audio', PCM, piece);
    await until(() => context.started.length === 2);

    expect(silent).toEqual([]);
    expect(playedOnTheWay).toBe(1);
    expect(receivedTypes().at(-1)).toBe('interrupt');
    expect(events).toContainEqual({
      type: 'finished',
      id: 1,
      heardSeconds: 0.02,
      isInterrupted: true,
    });
  });

  test('draws a picture when the sound beside it is heard', async () => {
    await join();
    context.currentTime = 5;
    send('video', {}, Uint8Array.of(1));
    await until(() => drawn === 1);
    send('audio', PCM, piece);
    send('video', {}, Uint8Array.of(2));
    send('playback', { event: 'started' });
    await until(() =>
      events.some((event) => event.type === 'wire' && /started/.test(event.line.text)),
    );
    const from = frames;
    await until(() => frames > from + 2);

    expect(drawn).toBe(1);
    context.currentTime = 5.1;
    await until(() => drawn === 2);
    expect(seats.isSeen).toBe(true);
  });

  test('follows the mute button of the stage', async () => {
    audio.muted = true;
    audio.dispatchEvent(new Event('volumechange'));
    const muted = context.gain.value;
    audio.muted = false;
    audio.dispatchEvent(new Event('volumechange'));

    expect([muted, context.gain.value]).toEqual([0, 1]);
  });

  test('reports the end of the connection in the words of the room', async () => {
    await join();
    send('error', { message: 'Too many records or bytes.' });
    socket.close(4429, 'too much');
    await until(() => losses.length === 1);

    expect(noticeOf(losses[0])).toMatchObject({
      title: 'The botroom closed the connection',
      advice: expect.stringContaining('Too many records or bytes.'),
    });
  });

  test('connects again when the connection breaks, and is heard again', async () => {
    await join();
    seats.say(1, 'Hello.', 'nora');
    await until(() => receivedTypes().includes('flush'));
    await seats.stop();
    const former = socket;
    former.terminate();
    await until(
      () => socket !== former && receivedTypes().filter((type) => type === 'hello').length === 2,
    );
    send('audio', PCM, piece);
    await until(() => context.started.length === 1);

    expect(offered).toBe(`${BOTROOM_PROTOCOL}, the-token`);
    expect(events.filter(({ type }) => type === 'presence')).toEqual([
      { type: 'presence', presence: 'rejoining' },
      { type: 'presence', presence: 'away' },
    ]);
    expect(losses).toEqual([]);
  });

  test('joins nothing when the connection is refused', async () => {
    server.removeAllListeners('upgrade');
    server.on('upgrade', (_request, stream) => stream.end('HTTP/1.1 401 Unauthorized\r\n\r\n'));

    const url = 'wss://public.example/v1/botrooms/b';
    await expect(seats.join({ id: 's', url, token: 'old' })).rejects.toThrow(BotroomGone);
    expect(losses).toEqual([]);
  });

  test('loses nothing when it leaves by itself', async () => {
    await join();
    const ended = once(socket, 'close');
    await seats.close();
    await ended;

    expect(losses).toEqual([]);
  });
});
