import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IDLE, lifeAt } from '../../../../workers/avatar/performer/life.ts';

const FRAME_MS = 40;
const SPEAKING = { speech: 1, listening: 0 };
const LISTENING = { speech: 0, listening: 1 };
const frames = (seconds: number) =>
  Array.from({ length: (seconds * 1000) / FRAME_MS }, (_, i) => i * FRAME_MS);

describe('life', () => {
  test('blinks every few seconds, and each blink closes the eyes in some frame', () => {
    const lids = frames(120).map((at) => lifeAt(7, at, IDLE).lids);

    const blinks = lids.filter((value, i) => value > 0 && (lids[i - 1] ?? 0) === 0).length;
    const closed = lids.filter((value, i) => value > 0.75 && (lids[i - 1] ?? 0) <= 0.75).length;

    expect(blinks).toBeGreaterThan(20);
    expect(blinks).toBeLessThan(50);
    expect(closed).toBe(blinks);
  });

  test('looks at the viewer most of the time', () => {
    const gazes = frames(200).map((at) => lifeAt(3, at, IDLE).gaze);

    const away = gazes.filter((gaze) => gaze !== 0).length / gazes.length;

    expect(away).toBeGreaterThan(0.02);
    expect(away).toBeLessThan(0.2);
  });

  test('moves the head more while speaking than while idle', () => {
    expect(travel(IDLE)).toBeGreaterThan(0);
    expect(travel(SPEAKING)).toBeGreaterThan(1.5 * travel(IDLE));
  });

  test('nods while it listens, and looks away less', () => {
    expect(travel(LISTENING)).toBeGreaterThan(1.5 * travel(IDLE));
    expect(away(LISTENING)).toBeLessThan(0.6 * away(IDLE));
  });

  test('glances mostly slightly aside, and sometimes far', () => {
    const gazes = frames(400).map((at) => Math.abs(lifeAt(3, at, IDLE).gaze));

    expect(new Set(gazes)).toEqual(new Set([0, 0.5, 1]));
    expect(share(gazes, (gaze) => gaze === 0.5)).toBeGreaterThan(
      share(gazes, (gaze) => gaze === 1),
    );
  });

  test('stays within the limits of the warp, and moves smoothly', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(100_000_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, at, speech, listening) => {
          const { pose, lids, brows } = lifeAt(seed, at, { speech, listening });
          const nextPose = lifeAt(seed, at + FRAME_MS, { speech, listening }).pose;
          expect(Math.abs(pose.yaw)).toBeLessThanOrEqual(4);
          expect(Math.abs(pose.pitch)).toBeLessThanOrEqual(3);
          expect(Math.abs(pose.roll)).toBeLessThanOrEqual(2);
          expect(lids).toBeGreaterThanOrEqual(0);
          expect(lids).toBeLessThanOrEqual(1);
          expect(brows).toBeLessThanOrEqual(1);
          // One degree is about four pixels at the nose.
          expect(Math.abs(nextPose.yaw - pose.yaw)).toBeLessThan(0.5);
          expect(Math.abs(nextPose.pitch - pose.pitch)).toBeLessThan(0.6);
          expect(Math.abs(nextPose.breath - pose.breath)).toBeLessThan(0.2);
        },
      ),
      // Speaking and listening at once, stresses and nods in step.
      { examples: [[1_287_379_409, 89_607_981, 0.9953020070486766, 0.9999999999999984]] },
    );
  });

  test('differs between seeds', () => {
    const [firstYaws, secondYaws] = [yaws(1), yaws(2)];

    const together = firstYaws.reduce((sum, yaw, i) => sum + yaw * secondYaws[i]!, 0);
    const alone = Math.hypot(...firstYaws) * Math.hypot(...secondYaws);

    expect(Math.abs(together / alone)).toBeLessThan(0.6);
  });

  test('raises the brows occasionally while speaking, mostly to a steady height, and never at rest', () => {
    const speaking = frames(120).map((at) => lifeAt(7, at, SPEAKING).brows);
    const silent = frames(120).map((at) => lifeAt(7, at, IDLE).brows);

    expect(share(speaking, isHeld)).toBeGreaterThan(0.1);
    expect(share(speaking, (brows) => brows > 0 && !isHeld(brows))).toBeLessThan(0.12);
    expect(share(silent, (brows) => brows > 0)).toBe(0);
  });
});

const yaws = (seed: number) => frames(30).map((at) => lifeAt(seed, at, IDLE).pose.yaw);

/** Degrees nodded per minute. */
function travel(part: typeof IDLE): number {
  const pitches = frames(60).map((at) => lifeAt(5, at, part).pose.pitch);
  return pitches.reduce((sum, pitch, i) => sum + Math.abs(pitch - pitches[Math.max(0, i - 1)]!), 0);
}

const share = (values: number[], is: (brows: number) => boolean) =>
  values.filter(is).length / values.length;

/** Share of time with averted gaze. */
const away = (part: typeof IDLE) =>
  share(
    frames(400).map((at) => lifeAt(3, at, part).gaze),
    (gaze) => gaze !== 0,
  );

const isHeld = (brows: number) => brows === 1 || brows === 0.67;
