import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Segments } from '../../../../workers/avatar/speech/segments.ts';
import { cutUp, pcm, tone } from '../../../support/sound/pcm.ts';
import { TestClock } from '../../../support/test-clock.ts';

const format = { sampleRate: 24_000, channels: 1 };
const log = createLog({ name: 'test', level: 'silent' });

function openSegments(maxWaitingBytes?: number) {
  const clock = new TestClock();
  const segments = new Segments(clock, log, () => {}, maxWaitingBytes);
  const opened: number[] = [];
  const begin = (stream: string, form = format) =>
    segments.begin(stream, form, (id) => opened.push(id));
  return { clock, segments, begin, opened };
}

function takeAll(segments: Segments): { ownMs: number; sound: number[] } {
  const sound: number[] = [];
  let ownMs = 0;
  for (let run = segments.first!.take(200); run; run = segments.first!.take(200)) {
    sound.push(...run.sound);
    ownMs += run.ownMs;
  }
  return { ownMs, sound };
}

describe('segments', () => {
  test('return all samples for any chunk borders', () => {
    const speech = pcm(tone(24_000, 733));
    const uncut = openSegments();
    uncut.begin('a');
    uncut.segments.chunk('a', speech);
    uncut.segments.end('a');
    const cut = openSegments();
    cut.begin('a');

    for (const piece of cutUp(speech, [1, 15_000, 3, 1001])) cut.segments.chunk('a', piece);
    cut.segments.end('a');

    const uncutSpeech = takeAll(uncut.segments);
    expect(takeAll(cut.segments)).toEqual(uncutSpeech);
    expect(uncutSpeech.ownMs).toBeCloseTo(733, 0);
    expect(uncutSpeech.sound).toHaveLength(740 * 48);
  });

  test.each([
    { sampleRate: 44_100, channels: 2 },
    { sampleRate: 88_200, channels: 1 },
    { sampleRate: 96_000, channels: 6 },
    { sampleRate: 192_000, channels: 8 },
    { sampleRate: 24_000, channels: 16 },
  ])('are resampled and mixed down: %o', (form) => {
    const { segments, begin } = openSegments();
    const samples = Array.from(tone(form.sampleRate, 1000));
    begin('a', form);

    segments.chunk(
      'a',
      pcm(samples.flatMap((s) => Array.from({ length: form.channels }, () => s))),
    );
    segments.end('a');

    const { ownMs, sound } = takeAll(segments);
    const expected = tone(48_000, 1000);
    const error = expected.map((sample, i) => Math.abs(sample - sound[i]!)).slice(480, -480);
    expect(ownMs).toBeCloseTo(1000, 0);
    expect(Math.max(...error)).toBeLessThan(16);
  });

  test('end shortly after the next header, and still accept late chunks until then', () => {
    const { clock, segments, begin } = openSegments();
    begin('a');
    const firstSegment = segments.first!;
    begin('b');

    segments.chunk('a', pcm(tone(24_000, 20)));
    const isEndedAtOnce = firstSegment.isEnded;
    clock.advance(250);

    expect(isEndedAtOnce).toBe(false);
    expect(firstSegment.isEnded).toBe(true);
    expect(firstSegment.availableMs).toBeCloseTo(20);
  });

  test('stay open however long the agent pauses', () => {
    const { clock, segments, begin } = openSegments();
    begin('a');
    segments.chunk('a', pcm(tone(24_000, 20)));

    clock.advance(60 * 60_000);
    segments.chunk('a', pcm(tone(24_000, 20)));
    segments.end('a');

    expect(segments.first!.availableMs).toBeCloseTo(40);
    expect(clock.waiting).toBe(0);
  });

  test('of a track end after 10 s without a chunk', () => {
    const { clock, segments } = openSegments();
    segments.beginLive('a');
    segments.chunk('a', pcm(tone(48_000, 20)));

    clock.advance(9_999);
    const isEndedEarly = segments.first!.isEnded;
    clock.advance(1);

    expect(isEndedEarly).toBe(false);
    expect(segments.first!.isEnded).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('ignore chunks after a clear until the next header', () => {
    const { clock, segments, begin, opened } = openSegments();
    begin('a');
    segments.chunk('a', pcm(tone(24_000, 20)));

    segments.clear();
    segments.chunk('a', pcm(tone(24_000, 20)));
    segments.end('a');
    const afterClear = segments.first;
    begin('b');
    segments.chunk('b', pcm(tone(24_000, 40)));

    expect(afterClear).toBeUndefined();
    expect(segments.first!.availableMs).toBeCloseTo(40);
    expect(opened).toEqual([1, 2]);
    segments.clear();
    expect(clock.waiting).toBe(0);
  });

  test('queue at most 30 minutes of speech', () => {
    const { clock, segments, begin } = openSegments();
    begin('a', { sampleRate: 8_000, channels: 1 });
    const minute = new Uint8Array(8_000 * 2 * 60);

    for (let i = 0; i < 35; i++) segments.chunk('a', minute);

    expect(segments.first!.isEnded).toBe(true);
    expect(segments.first!.availableMs / 60_000).toBe(31);
    expect(clock.waiting).toBe(0);
  });

  test('queue no more bytes of many channels than of two', () => {
    const { segments, begin } = openSegments(10_000_000);
    begin('a', { sampleRate: 192_000, channels: 16 });
    const oneSecond = new Uint8Array(192_000 * 16 * 2);

    for (let i = 0; i < 5; i++) segments.chunk('a', oneSecond);

    expect(segments.first!.isEnded).toBe(true);
    expect(segments.first!.waitingBytes).toBe(2 * oneSecond.length);
  });

  test.each([
    { sampleRate: Number.NaN, channels: 1 },
    { sampleRate: 4_000, channels: 1 },
    { sampleRate: 192_001, channels: 1 },
    { sampleRate: 24_000, channels: 17 },
    { sampleRate: 24_000, channels: 0 },
  ])('speech of an unknown form counts as an empty segment: %o', (unknown) => {
    const { segments, begin, opened } = openSegments();

    begin('a', unknown);
    segments.chunk('a', new Uint8Array(100));

    expect(opened).toEqual([1]);
    expect(segments.first!.isEnded).toBe(true);
    expect(segments.first!.take(200)).toBeNull();
    expect(segments.first!.isExhausted).toBe(true);
  });
});
