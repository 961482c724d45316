import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Segments } from '../../../../workers/avatar/speech/segments.ts';
import { cutUp, pcm, tone } from '../../../support/sound/pcm.ts';
import { TestClock } from '../../../support/test-clock.ts';

const format = { sampleRate: 24_000, channels: 1 };
const log = createLog({ name: 'test', level: 'silent' });

function given() {
  const clock = new TestClock();
  const segments = new Segments(clock, log, () => {});
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
    const uncut = given();
    uncut.begin('a');
    uncut.segments.chunk('a', speech);
    uncut.segments.end('a');
    const cut = given();
    cut.begin('a');

    for (const piece of cutUp(speech, [1, 15_000, 3, 1001])) cut.segments.chunk('a', piece);
    cut.segments.end('a');

    const uncutSpeech = takeAll(uncut.segments);
    expect(takeAll(cut.segments)).toEqual(uncutSpeech);
    expect(uncutSpeech.ownMs).toBeCloseTo(733, 0);
    expect(uncutSpeech.sound).toHaveLength(740 * 48);
  });

  test('mix stereo at 44.1 kHz', () => {
    const { segments, begin } = given();
    const stereo = Int16Array.from(Array.from(tone(44_100, 1000)).flatMap((s) => [s, s]));
    begin('a', { sampleRate: 44_100, channels: 2 });

    segments.chunk('a', pcm(stereo));
    segments.end('a');

    expect(takeAll(segments).ownMs).toBeCloseTo(1000, 0);
  });

  test('end shortly after the next header, and still accept late chunks until then', () => {
    const { clock, segments, begin } = given();
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

  test('end after 10 s without a chunk', () => {
    const { clock, segments, begin } = given();
    begin('a');
    segments.chunk('a', pcm(tone(24_000, 20)));

    clock.advance(9_999);
    const isEndedEarly = segments.first!.isEnded;
    clock.advance(1);

    expect(isEndedEarly).toBe(false);
    expect(segments.first!.isEnded).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('ignore chunks after a clear until the next header', () => {
    const { clock, segments, begin, opened } = given();
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
    const { clock, segments, begin } = given();
    begin('a', { sampleRate: 8_000, channels: 1 });
    const minute = new Uint8Array(8_000 * 2 * 60);

    for (let i = 0; i < 35; i++) segments.chunk('a', minute);

    expect(segments.first!.isEnded).toBe(true);
    expect(segments.first!.availableMs / 60_000).toBe(31);
    expect(clock.waiting).toBe(0);
  });

  test.each([
    { sampleRate: Number.NaN, channels: 1 },
    { sampleRate: 4_000, channels: 1 },
    { sampleRate: 24_000, channels: 6 },
  ])('speech of an unknown form counts as an empty segment: %o', (unknown) => {
    const { segments, begin, opened } = given();

    begin('a', unknown);
    segments.chunk('a', new Uint8Array(100));

    expect(opened).toEqual([1]);
    expect(segments.first!.isEnded).toBe(true);
    expect(segments.first!.take(200)).toBeNull();
    expect(segments.first!.isExhausted).toBe(true);
  });
});
