import { describe, expect, test } from 'vitest';
import { nextPhase, startFrameClock } from '../../../../workers/avatar/sync/frame-clock.ts';
import { TestClock } from '../../../support/test-clock.ts';

describe('frame clock', () => {
  test('ticks 25 times per second for an hour without drift', () => {
    const clock = new TestClock();
    const ticks: number[] = [];

    const stop = startFrameClock(clock, 25, 13, (atMs) => ticks.push(atMs));
    clock.advance(3_600_000);
    stop();

    expect(ticks).toHaveLength(90_000);
    expect(ticks[0]).toBe(13);
    expect(ticks.at(-1)).toBe(13 + 89_999 * 40);
    expect(clock.waiting).toBe(0);
  });

  test('skips late frames and reports how many were missed', () => {
    const clock = new TestClock();
    const ticks: [number, number][] = [];
    const stop = startFrameClock(clock, 25, 0, (atMs, missed) => {
      ticks.push([atMs, missed]);
      // The work takes longer than two frames.
      if (ticks.length === 2) clock.advance(95);
    });

    clock.advance(200);
    stop();

    expect(ticks).toEqual([
      [0, 0],
      [40, 0],
      [120, 1],
      [160, 0],
      [200, 0],
    ]);
  });

  test('spreads sessions over the frame interval', () => {
    const phases = Array.from({ length: 4 }, nextPhase).toSorted((a, b) => a - b);

    const gaps = phases.map((phase, i) =>
      i === 0 ? phase + 1 - phases.at(-1)! : phase - phases[i - 1]!,
    );

    expect(Math.min(...gaps) * 40).toBeGreaterThan(4);
  });
});
