import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { Segments } from '../../../../workers/avatar/speech/segments.ts';
import { Pairing } from '../../../../workers/avatar/sync/pairing.ts';
import { Playback } from '../../../../workers/avatar/sync/playback.ts';
import { MemoryPerformer } from '../../../support/picture/memory-performer.ts';
import { MemoryRoom } from '../../../support/picture/memory-room.ts';
import { pcm, tone } from '../../../support/sound/pcm.ts';
import { TestClock } from '../../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });
const format = { sampleRate: 48_000, channels: 1 };

function given() {
  const clock = new TestClock();
  const transport = new MemoryRoom(clock);
  const performer = new MemoryPerformer();
  const playback = new Playback(clock, transport);
  const segments = new Segments(clock, log, () => pairing.feed());
  const pairing = new Pairing({ clock, segments, transport, performer, playback });
  pairing.begin();
  const begin = (stream: string) => segments.begin(stream, format, (id) => playback.open(id));
  const speak = (stream: string, ms: number) => {
    begin(stream);
    segments.chunk(stream, pcm(tone(48_000, ms)));
    segments.end(stream);
  };
  const close = () => {
    pairing.close();
    segments.clear();
    playback.close();
  };
  return { clock, transport, performer, playback, segments, pairing, begin, speak, close };
}

const peak = (samples: number[]) =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('pairing', () => {
  test('plays speech at once, ahead of queued silence', () => {
    const { clock, transport, speak } = given();
    clock.advance(1000);

    speak('a', 500);
    clock.advance(600);

    expect(peak(transport.playedSound(900, 100))).toBe(0);
    expect(peak(transport.playedSound(1000, 10))).toBeGreaterThan(0);
    expect(transport.playedSound(1000, 500)).toEqual([...tone(48_000, 500)]);
    expect(peak(transport.playedSound(1500, 100))).toBe(0);
  });

  test('keeps the source filled with silence while no speech plays', () => {
    const { clock, transport } = given();

    let least = Infinity;
    for (let i = 0; i < 2000; i++) {
      clock.advance(5);
      least = Math.min(least, transport.queuedMs);
    }

    expect(least).toBeGreaterThan(0);
  });

  test('plays real-time speech with a cushion and without gaps', () => {
    const { clock, transport, segments, begin } = given();
    const speech = tone(48_000, 1000);
    begin('a');

    for (let i = 0; i < 50; i++) {
      segments.chunk('a', pcm(speech.slice(i * 960, (i + 1) * 960)));
      // Occasionally up to 30 ms late.
      clock.advance(i % 7 === 3 ? 40 : i % 7 === 4 ? 0 : 20);
    }
    segments.end('a');
    clock.advance(500);

    const samples = transport.playedSound(0, 1300);
    const from = samples.findIndex((sample) => sample !== 0) - 1;
    expect(from / 48).toBeLessThan(70);
    expect(samples.slice(from, from + speech.length)).toEqual([...speech]);
  });

  test('hides a stall of 390 ms, and keeps the position exact', () => {
    const { clock, transport, pairing, speak } = given();
    speak('a', 5000);
    clock.advance(1001);

    clock.stall(390);
    clock.advance(500);
    pairing.clear();

    expect(transport.playedSound(0, 1800)).toEqual([...tone(48_000, 1800)]);
    expect(transport.finished[0]!.positionSeconds).toBeCloseTo(1.886, 3);
  });

  test('detects a source that begins late, and reports the exact position of a cut', () => {
    const { clock, transport, pairing, speak } = given();
    transport.takesMs = 180;
    speak('a', 5000);
    clock.advance(2000);

    pairing.clear();

    const samples = transport.playedSound(0, 2000);
    const firstSample = samples.findIndex((sample) => sample !== 0);
    const heardMs = (samples.findLastIndex((sample) => sample !== 0) - firstSample) / 48;
    expect(firstSample / 48).toBeGreaterThan(170);
    expect(Math.abs(transport.finished[0]!.positionSeconds * 1000 - heardMs)).toBeLessThan(15);
  });

  test('is silent at once after a clear', () => {
    const { clock, transport, performer, pairing, speak } = given();
    speak('a', 5000);
    clock.advance(1003);

    pairing.clear();
    clock.advance(300);

    expect(peak(transport.playedSound(1010, 200))).toBe(0);
    expect(performer.hushTimes).toEqual([1003]);
    expect(transport.finished).toHaveLength(1);
    expect(transport.finished[0]!.interrupted).toBe(true);
    expect(transport.finished[0]!.positionSeconds).toBeCloseTo(1, 1);
  });

  test('plays new speech at once after a clear', () => {
    const { clock, transport, pairing, speak } = given();
    speak('a', 5000);
    clock.advance(1000);

    pairing.clear();
    speak('b', 100);
    clock.advance(300);

    expect(transport.playedSound(1000, 100)).toEqual([...tone(48_000, 100)]);
    expect(transport.finished.map(({ interrupted }) => interrupted)).toEqual([true, false]);
  });

  test('finishes each stream at 0, interrupted, on a clear before the first sample', () => {
    const { transport, pairing, begin } = given();
    begin('a');
    begin('b');

    pairing.clear();

    expect(transport.finished).toEqual([
      { positionSeconds: 0, interrupted: true },
      { positionSeconds: 0, interrupted: true },
    ]);
  });

  test('reports nothing on a clear without open segments', () => {
    const { clock, transport, pairing, speak } = given();
    speak('a', 100);
    clock.advance(1000);

    pairing.clear();

    expect(transport.finished).toHaveLength(1);
  });

  test('plays queued segments without gaps', () => {
    const { clock, transport, speak } = given();

    speak('a', 300);
    speak('b', 300);
    clock.advance(1000);

    expect(transport.playedSound(0, 600)).toEqual([...tone(48_000, 300), ...tone(48_000, 300)]);
    expect(transport.finished).toEqual([
      { positionSeconds: 0.3, interrupted: false },
      { positionSeconds: 0.3, interrupted: false },
    ]);
  });

  test('tells the performer up to 600 ms ahead, with the time at which speech is heard', () => {
    const { clock, transport, performer, speak } = given();
    speak('a', 3000);

    clock.advance(1500);
    const aheadMs =
      performer.speech.at(-1)!.atMs + performer.speech.at(-1)!.samples.length / 16 - 1500;
    const off = Array.from({ length: 1000 }, (_, i) => {
      const atMs = 300 + i;
      const sounding = transport.playedSound(atMs - 5, 1)[0]!;
      return Math.abs((performer.at(atMs + transport.audioDelayMs) ?? 0) - sounding);
    });

    expect(aheadMs).toBeGreaterThan(390);
    expect(aheadMs).toBeLessThanOrEqual(605);
    expect(Math.max(...off)).toBeLessThan(8000 * 0.25);
  });

  test('measures the delay behind the audio for frames of speech only', () => {
    const { clock, transport, pairing, speak } = given();
    clock.advance(1000);
    speak('a', 300);
    const firstMs = 1005 + transport.audioDelayMs;

    clock.advance(250);
    const within = [firstMs - 1, firstMs, 1240].map((atMs) => pairing.offsetMs(atMs));
    clock.advance(30);
    const late = pairing.offsetMs(1240);
    clock.advance(100);
    const pastOffset = pairing.offsetMs(1330);

    expect(within).toEqual([null, 1250 - firstMs, 10]);
    expect(late).toBe(40);
    expect(pastOffset).toBeNull();
  });

  test('measures no frames of speech after a cut', () => {
    const { clock, pairing, speak } = given();
    speak('a', 3000);
    clock.advance(500);
    expect(pairing.offsetMs(500)).toBe(0);

    pairing.clear();

    expect(pairing.offsetMs(500)).toBeNull();
  });

  test('sleeps while a segment has less than one step', () => {
    const { clock, segments, playback } = given();
    let timers = 0;
    const setTimer = clock.after.bind(clock);
    clock.after = (ms, run) => {
      timers++;
      return setTimer(ms, run);
    };
    segments.begin('a', { sampleRate: 16_000, channels: 1 }, (id) => playback.open(id));
    // 10 ms, part of which the filter holds back.
    segments.chunk('a', pcm(tone(16_000, 10)));

    clock.advance(5_000);

    expect(timers).toBeLessThan(100);
  });

  test('leaves no timer after close', () => {
    const { clock, speak, close } = given();
    speak('a', 3000);
    clock.advance(100);

    close();

    expect(clock.waiting).toBe(0);
  });
});

describe('pairing under random events', () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.integer({ min: 0, max: 400 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('chunk' as const),
        ms: fc.integer({ min: 1, max: 500 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('begin' as const), ms: fc.constant(0) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), ms: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), ms: fc.constant(0) }) },
  );

  test('finishes each segment once, in order, at its exact position, and never lets audio and video drift', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
        const { clock, transport, performer, segments, pairing, begin, close } = given();
        const sentMs: number[] = [];
        let stream = 0;
        let isOpen = false;
        for (const { do: what, ms } of steps) {
          if (what === 'wait') clock.advance(ms);
          if (what === 'clear') pairing.clear();
          if (what === 'end') segments.end(String(stream));
          if (what === 'end' || what === 'clear') isOpen = false;
          if (what === 'begin') {
            begin(String(++stream));
            sentMs.push(0);
            isOpen = true;
          }
          if (what === 'chunk' && stream > 0) {
            segments.chunk(String(stream), pcm(new Int16Array(ms * 48).fill(1000 + stream)));
            if (isOpen) sentMs[stream - 1]! += ms;
          }
        }
        segments.end(String(stream));
        clock.advance(31_000);

        expect(transport.finished).toHaveLength(stream);
        transport.finished.forEach(({ positionSeconds, interrupted }, i) => {
          const sentSeconds = sentMs[i]! / 1000;
          expect(positionSeconds).toBeLessThanOrEqual(sentSeconds + 1e-6);
          if (!interrupted) expect(positionSeconds).toBeCloseTo(sentSeconds, 3);
        });
        // Each segment has its own level: what the performer heard for a time is what the source
        // played then, within one step.
        const until = Math.floor(clock.elapsed() - 30_000);
        for (let atMs = 20; atMs < until; atMs += 7) {
          const around = new Set(transport.playedSound(atMs - 12, 24).map(levelOf));
          const heardLevel = levelOf(performer.at(atMs + transport.audioDelayMs) ?? 0);
          // A hush coincides with the end of the audio, so the mouth never shows its last
          // `audioDelayMs`.
          const isAtHush = performer.hushTimes.some(
            (hush) => hush - transport.audioDelayMs - 12 <= atMs && atMs <= hush + 12,
          );
          if (isAtHush) continue;
          if (heardLevel === null) expect(around.size).toBeGreaterThan(1);
          else expect([...around]).toContain(heardLevel);
        }
        expect(clock.waiting).toBeGreaterThan(0);
        close();
        expect(clock.waiting).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

/** The segment of a sample; 0 for silence; null at segment borders, which the filter smooths. */
const levelOf = (sample: number): number | null => {
  if (sample === 0) return 0;
  return sample > 990 ? Math.round(sample - 1000) : null;
};
