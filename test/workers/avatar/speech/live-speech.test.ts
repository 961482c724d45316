import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { LiveSpeech } from '../../../../workers/avatar/speech/live-speech.ts';
import { Segments } from '../../../../workers/avatar/speech/segments.ts';
import { Pairing } from '../../../../workers/avatar/sync/pairing.ts';
import { Playback } from '../../../../workers/avatar/sync/playback.ts';
import { MemoryPerformer } from '../../../support/picture/memory-performer.ts';
import { MemoryRoom } from '../../../support/picture/memory-room.ts';
import { pcm, tone } from '../../../support/sound/pcm.ts';
import { TestClock } from '../../../support/test-clock.ts';

const RATE = 48_000;
const BLOCK = RATE / 50;
const log = createLog({ name: 'test', level: 'silent' });

function given() {
  const clock = new TestClock();
  const transport = new MemoryRoom(clock);
  const performer = new MemoryPerformer();
  const playback = new Playback(clock, transport);
  const segments = new Segments(clock, log, () => pairing.feed());
  const pairing = new Pairing({ clock, segments, transport, performer, playback });
  const live = new LiveSpeech({ segments, queuedMs: () => pairing.queuedMs });
  pairing.begin();
  /**
   * Feeds the samples like a track: a block every 20 ms by a clock that runs `pace` times as fast
   * as ours.
   */
  const speak = (samples: Int16Array, pace = 1) => {
    let most = 0;
    for (let at = 0; at < samples.length; at += BLOCK) {
      clock.advance(20 / pace);
      live.hear(samples.slice(at, at + BLOCK));
      most = Math.max(most, pairing.queuedMs);
    }
    return { mostQueuedMs: most };
  };
  return { clock, transport, performer, segments, pairing, live, speak };
}

/** A constant level identifies the utterance of a sample. */
const level = (ms: number, value: number) => new Int16Array((ms * RATE) / 1000).fill(value);
const silence = (ms: number) => level(ms, 0);

/** Duration of each run of one level, in order. */
function runs(samples: number[]): { value: number; ms: number }[] {
  const levels: { value: number; ms: number }[] = [];
  for (const value of samples) {
    const lastLevel = levels.at(-1);
    if (lastLevel?.value === value) lastLevel.ms += 1000 / RATE;
    else levels.push({ value, ms: 1000 / RATE });
  }
  return levels.filter((run) => run.value !== 0);
}

describe('live speech', () => {
  test('ignores a silent track', () => {
    const { performer, segments, speak } = given();

    speak(silence(2000));
    speak(level(2000, 40));

    expect(segments.first).toBeUndefined();
    expect(performer.speech).toEqual([]);
  });

  test('plays complete, 60 ms after it was received, without reports to the agent', () => {
    const { clock, transport, speak } = given();
    const speech = tone(RATE, 1500);
    speak(silence(100));

    speak(speech);
    clock.advance(200);

    const from = 100 + 60;
    expect(transport.playedSound(from - 20, 20).every((sample) => sample === 0)).toBe(true);
    expect(transport.playedSound(from, 1500)).toEqual([...speech]);
    expect(transport.calls).toEqual([]);
  });

  test('reaches the performer before it plays', () => {
    const { clock, performer, speak } = given();

    speak(tone(RATE, 1000));
    const lastRun = performer.speech.at(-1)!;

    expect(lastRun.atMs + lastRun.samples.length / 16 - clock.elapsed()).toBeGreaterThanOrEqual(65);
  });

  test.each([1.01, 0.99])('loses only pause length at %d times our pace', (pace) => {
    const { clock, transport, speak } = given();
    const words = Array.from({ length: 12 }, (_, i) => ({ value: 1000 + i, ms: 2000 }));

    const queued = words.map(
      ({ value, ms }) =>
        speak(Int16Array.from([...level(ms, value), ...silence(400)]), pace).mostQueuedMs,
    );
    clock.advance(300);

    expect(Math.max(...queued)).toBeLessThan(105);
    const heardRuns = runs(transport.playedSound(0, clock.elapsed()));
    expect(heardRuns.map(({ value, ms }) => ({ value, ms: Math.round(ms) }))).toEqual(words);
  });

  test('drops noise, and no word, in a noisy room with too much delay', () => {
    const { clock, transport, speak } = given();
    const spokenWords = Array.from({ length: 20 }, (_, i) => ({ value: 8000 + i, ms: 1000 }));

    const queued = spokenWords.map(
      ({ value, ms }) =>
        speak(Int16Array.from([...level(ms, value), ...level(400, 100)]), 1.02).mostQueuedMs,
    );
    clock.advance(300);

    expect(Math.max(...queued)).toBeLessThan(150);
    const words = runs(transport.playedSound(0, clock.elapsed())).filter(
      ({ value }) => value > 1000,
    );
    expect(words.map(({ value, ms }) => ({ value, ms: Math.round(ms) }))).toEqual(spokenWords);
  });

  test('keeps no delay from audio that arrives at once after a stall', () => {
    const { clock, pairing, live, speak } = given();
    speak(level(1000, 3000));
    clock.advance(2000);

    for (let i = 0; i < 200; i++) live.hear(level(10, 3000));
    const atOnce = pairing.queuedMs;
    speak(level(500, 3000));

    expect(atOnce).toBeLessThan(270);
    expect(pairing.queuedMs).toBeLessThan(130);
  });

  test('plays a short pause with its exact length', () => {
    const { clock, transport, speak } = given();

    speak(Int16Array.from([...level(500, 2000), ...silence(200), ...level(500, 2001)]));
    clock.advance(300);

    const samples = transport.playedSound(0, clock.elapsed());
    expect(samples.indexOf(2001) - samples.indexOf(2000)).toBe(700 * 48);
  });

  test('starts a new segment right after the last one with its cushion and without a gap', () => {
    const { clock, transport, live, speak } = given();
    speak(level(500, 2000));
    live.end();

    speak(level(500, 2001));
    clock.advance(300);

    expect(runs(transport.playedSound(0, clock.elapsed()))).toEqual([
      { value: 2000, ms: expect.closeTo(500) },
      { value: 2001, ms: expect.closeTo(500) },
    ]);
  });

  test('drops queued audio on a clear, and plays what follows', () => {
    const { clock, transport, performer, pairing, live, speak } = given();
    speak(level(500, 2000));

    live.cut();
    pairing.clear();
    const clearedAt = clock.elapsed();
    speak(level(500, 2001));
    clock.advance(300);

    const laterRuns = runs(transport.playedSound(clearedAt + 10, clock.elapsed() - clearedAt - 10));
    expect(laterRuns).toEqual([{ value: 2001, ms: expect.closeTo(500) }]);
    expect(performer.hushTimes).toEqual([clearedAt]);
    expect(transport.calls).toEqual([]);
  });

  test('is followed by a stream, which is reported once', () => {
    const { clock, transport, segments, live, speak } = given();
    const playback = new Playback(clock, transport);
    speak(level(500, 2000));

    live.end();
    segments.begin('a', { sampleRate: RATE, channels: 1 }, (id) => playback.open(id));
    segments.chunk('a', pcm(level(300, 2001)));
    clock.advance(600);

    expect(runs(transport.playedSound(0, clock.elapsed()))).toEqual([
      { value: 2000, ms: expect.closeTo(500) },
      { value: 2001, ms: expect.closeTo(300) },
    ]);
    expect(segments.first?.isLive).toBe(false);
    segments.clear();
  });

  test('leaves no timer except the one that refills the source', () => {
    const { clock, pairing, live, speak } = given();
    speak(level(500, 2000));

    live.end();
    clock.advance(300);
    pairing.close();

    expect(clock.waiting).toBe(0);
  });
});
