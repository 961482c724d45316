import { beforeEach, describe, expect, test } from 'vitest';
import { ClientSpeech } from '../../../../../workers/avatar/transport/botroom/client-speech.ts';
import { TestClock } from '../../../../support/test-clock.ts';

let clock: TestClock;
let speech: ClientSpeech;
let events: unknown[][];

beforeEach(() => {
  clock = new TestClock();
  events = [];
  speech = new ClientSpeech(clock, {
    begin: (stream, { sampleRate, channels }) =>
      events.push(['begin', stream, sampleRate, channels]),
    chunk: (stream, bytes) => events.push(['chunk', stream, bytes.length]),
    end: (stream) => events.push(['end', stream]),
    clear: () => events.push(['clear']),
  });
});

const audio = (bytes: number, sample_rate = 16_000, num_channels = 1) =>
  speech.audio({
    type: 'audio',
    header: { sample_rate, num_channels },
    blob: new Uint8Array(bytes),
  });

describe('speech of a client', () => {
  test('begins with its first audio and ends with the flush, once', () => {
    audio(1280);
    audio(640);
    speech.flush();
    speech.flush();
    audio(2);

    expect(events).toEqual([
      ['begin', 'utterance 1', 16_000, 1],
      ['chunk', 'utterance 1', 1280],
      ['chunk', 'utterance 1', 640],
      ['end', 'utterance 1'],
      ['begin', 'utterance 2', 16_000, 1],
      ['chunk', 'utterance 2', 2],
    ]);
    speech.close();
    expect(clock.waiting).toBe(0);
  });

  test('begins anew with another format', () => {
    audio(10);
    audio(10, 24_000, 2);
    speech.flush();

    expect(events.filter(([what]) => what !== 'chunk')).toEqual([
      ['begin', 'utterance 1', 16_000, 1],
      ['end', 'utterance 1'],
      ['begin', 'utterance 2', 24_000, 2],
      ['end', 'utterance 2'],
    ]);
  });

  test('ends two seconds after the last audio of a client that never flushes', () => {
    audio(10);
    clock.advance(1_999);
    audio(10);
    clock.advance(1_999);
    const eventCount = events.length;
    clock.advance(1);

    expect(eventCount).toBe(3);
    expect(events.at(-1)).toEqual(['end', 'utterance 1']);
    expect(clock.waiting).toBe(0);
  });

  test('is forgotten on an interruption', () => {
    audio(10);
    speech.interrupt();
    audio(10);
    speech.flush();

    expect(events.map(([what]) => what)).toEqual([
      'begin',
      'chunk',
      'clear',
      'begin',
      'chunk',
      'end',
    ]);
  });

  test('ignores audio without samples', () => {
    audio(0);

    expect(events).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test('keeps a copy: the record is a view of a buffer that others share', () => {
    const blob = Uint8Array.of(1, 2);
    let copy = new Uint8Array();
    const copying = new ClientSpeech(clock, {
      begin: () => {},
      chunk: (_stream, bytes) => void (copy = bytes as Uint8Array<ArrayBuffer>),
      end: () => {},
      clear: () => {},
    });

    copying.audio({ type: 'audio', header: { sample_rate: 16_000, num_channels: 1 }, blob });
    blob.fill(9);
    copying.close();

    expect([...copy]).toEqual([1, 2]);
  });

  test('knows where the next audio belongs', () => {
    const startPlace = speech.place;
    audio(320);
    const inside = speech.place;
    speech.flush();

    expect(startPlace).toEqual({ utterance: 1, offsetMs: 0 });
    expect(inside).toEqual({ utterance: 1, offsetMs: 10 });
    expect(speech.place).toEqual({ utterance: 2, offsetMs: 0 });
  });
});
