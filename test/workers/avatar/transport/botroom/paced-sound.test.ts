import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '#shared/clock.ts';
import { AUDIO_RATE } from '#protocol/audio.ts';
import { PacedSound } from '../../../../../workers/avatar/transport/botroom/paced-sound.ts';
import { AUDIO_QUEUE_MS } from '../../../../../workers/avatar/transport/transport.ts';
import { TestClock } from '../../../../support/test-clock.ts';

const PER_MS = AUDIO_RATE / 1000;

function given() {
  const clock = new TestClock();
  const pieces: { atMs: number; samples: Int16Array }[] = [];
  const sound = new PacedSound(clock, (samples) => pieces.push({ atMs: clock.elapsed(), samples }));
  return { clock, pieces, sound };
}

const ramp = (ms: number, from = 0): Int16Array =>
  Int16Array.from({ length: ms * PER_MS }, (_, i) => (from + i) % 30_000);

const nothing = () => {};

describe('paced sound', () => {
  test('leaves in pieces of 20 ms, each when it begins to play', () => {
    const { clock, pieces, sound } = given();
    clock.advance(7);

    sound.play(ramp(50), nothing);
    clock.advance(200);

    expect(pieces.map(({ atMs }) => atMs)).toEqual([7, 27, 47]);
    expect(pieces.map(({ samples }) => samples.length / PER_MS)).toEqual([20, 20, 10]);
    expect(pieces.flatMap(({ samples }) => [...samples])).toEqual([...ramp(50)]);
    expect(clock.waiting).toBe(0);
  });

  test('leaves ahead of its time for a receiver that holds it, except the first piece', () => {
    const { clock, pieces, sound } = given();
    sound.leadMs = 60;

    sound.play(ramp(120), nothing);
    const atOnce = pieces.length;
    clock.advance(200);

    expect(atOnce).toBe(4);
    expect(pieces.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 0, 20, 40]);
    expect(pieces.flatMap(({ samples }) => [...samples])).toEqual([...ramp(120)]);
  });

  test('begins at once after a receiver has dropped what it held', () => {
    const { clock, pieces, sound } = given();
    sound.leadMs = 60;
    sound.play(ramp(200), nothing);
    clock.advance(10);

    sound.clear();
    const startDelayMs = sound.startDelayMs;
    sound.play(ramp(20), nothing);
    clock.advance(0);

    expect(startDelayMs).toBe(0);
    expect(pieces.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 0, 10]);
  });

  test('does not drift in ten minutes with late timers', () => {
    const { clock, pieces, sound } = given();
    const run = ramp(200);
    sound.play(run, nothing);
    const stop = clock.every(200, () => sound.play(run, nothing));
    sound.play(run, nothing);

    for (let i = 0; clock.elapsed() < 600_000; i++) {
      if (i % 50 === 49) clock.stall(37);
      else clock.advance(13);
    }

    const sentMs = pieces.reduce((sum, { samples }) => sum + samples.length / PER_MS, 0);
    expect(Math.abs(sentMs - clock.elapsed())).toBeLessThanOrEqual(20);
    stop();
  });

  test('catches up after a stall, with nothing lost', () => {
    const { clock, pieces, sound } = given();
    sound.play(ramp(400), nothing);
    clock.advance(40);

    clock.stall(150);
    clock.advance(10);

    expect(pieces.filter(({ atMs }) => atMs === 190)).toHaveLength(7);
    expect(pieces.at(-1)?.atMs).toBe(200);
  });

  test('leaves as far as it was due in a stall, when cleared right after it', () => {
    const { clock, pieces, sound } = given();
    sound.play(ramp(100), nothing);
    clock.advance(1);
    // Runs before the timer of the second piece.
    clock.after(18, () => {
      sound.clear();
      sound.play(ramp(20, 7_000), nothing);
    });

    clock.stall(54);
    clock.advance(100);

    const sentSamples = pieces.flatMap(({ samples }) => [...samples]);
    expect(sentSamples).toEqual([...ramp(55), ...ramp(20, 7_000)]);
    expect(pieces.at(-1)!.atMs).toBe(55);
  });

  test('does not send a piece again that an early timer has sent', () => {
    const clock = new TestClock();
    const early: Clock = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (ms, run) => clock.after(Math.max(0, ms - 1), run),
      every: (ms, run) => clock.every(ms, run),
    };
    const lengths: number[] = [];
    const sound = new PacedSound(early, ({ length }) => lengths.push(length));

    sound.play(ramp(100), nothing);
    clock.advance(200);

    expect(lengths).toEqual(Array.from({ length: 5 }, () => 20 * PER_MS));
  });

  test(`says that a run is taken when ${AUDIO_QUEUE_MS} ms or less are queued`, () => {
    const { clock, sound } = given();
    const takenRuns: [string, number][] = [];
    const note = (name: string) => () => void takenRuns.push([name, clock.elapsed()]);

    sound.play(ramp(200), note('a'));
    sound.play(ramp(405), note('b'));
    sound.play(ramp(95), note('c'));
    clock.advance(1_000);

    expect(takenRuns).toEqual([
      ['a', 0],
      ['b', 105],
      ['c', 200],
    ]);
  });

  test('drops what has not left, and says nothing of it', () => {
    const { clock, pieces, sound } = given();
    let isTaken = false;
    sound.play(ramp(1_000), () => (isTaken = true));
    clock.advance(50);

    sound.clear();
    clock.advance(2_000);

    expect(pieces).toHaveLength(3);
    expect(isTaken).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  test('goes on after what has left, when cleared in the middle of a piece', () => {
    const { clock, pieces, sound } = given();
    sound.play(ramp(100), nothing);
    clock.advance(25);

    sound.clear();
    sound.play(ramp(20, 7_000), nothing);
    clock.advance(100);

    expect(pieces.at(-1)).toMatchObject({ atMs: 40 });
    expect(pieces.at(-1)!.samples[0]).toBe(7_000);
  });

  test('begins again at once when it has run dry', () => {
    const { clock, pieces, sound } = given();
    sound.play(ramp(20), nothing);
    clock.advance(333);

    sound.play(ramp(20), nothing);
    clock.advance(100);

    expect(pieces.map(({ atMs }) => atMs)).toEqual([0, 333]);
  });

  test('sends all of any runs, in order and never early, whatever the timing', () => {
    const step = fc.record({
      runMs: fc.integer({ min: 0, max: 15 }).map((steps) => steps * 10),
      thenMs: fc.integer({ min: 0, max: 300 }),
      isStall: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { clock, pieces, sound } = given();
        const playedSamples: number[] = [];
        let endsAt = 0;
        for (const { runMs, thenMs, isStall } of steps) {
          const run = ramp(runMs, playedSamples.length);
          playedSamples.push(...run);
          endsAt = Math.max(endsAt, clock.elapsed()) + runMs;
          sound.play(run, nothing);
          if (isStall) clock.stall(thenMs);
          else clock.advance(thenMs);
          const sentMs = pieces.reduce((sum, { samples }) => sum + samples.length / PER_MS, 0);
          // Sound that was sent plays until then, so at most one piece is ahead.
          const leftMs = playedSamples.length / PER_MS - sentMs;
          expect(endsAt - leftMs).toBeLessThanOrEqual(clock.elapsed() + 20);
        }
        clock.advance(60_000);

        expect(pieces.flatMap(({ samples }) => [...samples])).toEqual(playedSamples);
        expect(clock.waiting).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
