import { EventEmitter } from 'node:events';
import { RoomEvent, type ByteStreamReader, type Room } from '@livekit/rtc-node';
import { describe, expect, test } from 'vitest';
import type { Log } from '#shared/log.ts';
import { SpeechStreams } from '../../../../../workers/avatar/transport/mediaserver/speech-streams.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

type Handler = (reader: ByteStreamReader, sender: { identity: string }) => void;

/** A stream whose chunks and trailer the test sends. */
function openStream(streamId: string, attributes?: Record<string, string>) {
  const chunks = new TransformStream<Uint8Array, Uint8Array>();
  const writer = chunks.writable.getWriter();
  const reader = Object.assign(chunks.readable.values(), {
    info: { streamId, attributes },
    close: async () => {},
  }) as unknown as ByteStreamReader;
  return { reader, send: (byte: number) => writer.write(new Uint8Array([byte])), writer };
}

function openStreams() {
  const clock = new TestClock();
  let handler: Handler | null = null;
  const room = Object.assign(new EventEmitter(), {
    registerByteStreamHandler: (_topic: string, added: Handler) => (handler = added),
    unregisterByteStreamHandler: () => (handler = null),
  });
  const events: string[] = [];
  const warnings: object[] = [];
  const streams = new SpeechStreams({
    room: room as unknown as Room,
    listener: {
      begin: (stream, { sampleRate, channels }) =>
        void events.push(`${stream}: ${sampleRate} Hz, ${channels}`),
      chunk: (stream, bytes) => void events.push(`${stream}: ${bytes.join()}`),
      end: (stream) => void events.push(`${stream} ends`),
    },
    isAgent: (identity) => identity === 'agent',
    onBegun: () => {},
    clock,
    log: { warn: (fields: object) => warnings.push(fields), debug: () => {} } as unknown as Log,
  });
  streams.accept();
  const begin = (streamId: string, attributes?: Record<string, string>, identity = 'agent') => {
    const stream = openStream(streamId, attributes);
    handler!(stream.reader, { identity });
    return stream;
  };
  return { clock, room, events, warnings, streams, begin };
}

const format = { sample_rate: '16000', num_channels: '1' };

describe('speech streams', () => {
  test.each([
    [format, '16000 Hz, 1'],
    [{ sample_rate: '96000', num_channels: '6' }, '96000 Hz, 6'],
    [undefined, '24000 Hz, 1'],
    [{}, '24000 Hz, 1'],
    [{ sample_rate: '16000' }, '16000 Hz, 1'],
    [{ num_channels: '2' }, '24000 Hz, 2'],
    [{ sample_rate: '', num_channels: '' }, '24000 Hz, 1'],
    [{ sample_rate: 'unknown', num_channels: '0' }, '24000 Hz, 1'],
    [{ sample_rate: '48000.0', num_channels: ' 2 ' }, '48000 Hz, 2'],
    [{ sample_rate: '1000000', num_channels: '1' }, '1000000 Hz, 1'],
  ])('with the attributes %o have %s', async (attributes, form) => {
    const { events, begin } = openStreams();

    begin('a', attributes);
    await settle();

    expect(events).toEqual([`a: ${form}`]);
  });

  test('say once that a format is assumed', async () => {
    const { warnings, begin } = openStreams();

    begin('a', { sample_rate: '16000' });
    begin('b', {});
    begin('c', format);
    await settle();

    expect(warnings).toEqual([{ sampleRate: 16_000, channels: 1 }]);
  });

  test('end with their trailer only, however long the pause', async () => {
    const { clock, events, begin } = openStreams();
    const stream = begin('a', format);

    await stream.send(1);
    clock.advance(20 * 60_000);
    await stream.send(2);
    await settle();
    const beforeTrailer = [...events];
    await stream.writer.close();
    await settle();

    expect(beforeTrailer.slice(1)).toEqual(['a: 1', 'a: 2']);
    expect(events.slice(3)).toEqual(['a ends']);
  });

  test('end when the agent leaves, and not when others do', async () => {
    const { room, events, begin } = openStreams();
    await begin('a', format).send(1);

    room.emit(RoomEvent.ParticipantDisconnected, { identity: 'visitor' });
    const afterVisitor = [...events];
    room.emit(RoomEvent.ParticipantDisconnected, { identity: 'agent' });

    expect(afterVisitor.at(-1)).toBe('a: 1');
    expect(events.at(-1)).toBe('a ends');
  });

  test('end when silent after a lost connection, which may have cost the trailer', async () => {
    const { clock, room, events, begin } = openStreams();
    const going = begin('a', format);
    begin('b', format);
    await settle();

    room.emit(RoomEvent.Reconnected);
    await going.send(1);
    await settle();
    clock.advance(10_000);

    expect(events.slice(2)).toEqual(['a: 1', 'b ends']);
    expect(clock.waiting).toBe(0);
  });

  test('of others are ignored', async () => {
    const { events, begin } = openStreams();

    begin('a', format, 'visitor');
    await settle();

    expect(events).toEqual([]);
  });
});
