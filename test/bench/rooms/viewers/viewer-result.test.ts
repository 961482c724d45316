import { describe, expect, test } from 'vitest';
import { isAllThere, viewerResult } from './viewer-result.ts';

const SECONDS = 10;
const window = { fromMs: 0, untilMs: SECONDS * 1000, concealedSamples: 0 };
const loud = { atMs: 0, peak: 5_000, firstLoudMs: 0, lastLoudMs: 0 };
const sound = Array.from({ length: 1_000 }, () => loud);

const framesAt = (times: number[]) => times.map((atMs) => ({ atMs, light: 0 }));
const every40Ms = Array.from({ length: 250 }, (_, i) => 20 + 40 * i);

describe("a viewer's result", () => {
  test('is 25 fps for a complete stream', () => {
    const result = viewerResult({ frames: framesAt(every40Ms), sound }, window);

    expect(result).toMatchObject({ longestGapMs: 40, lostMs: 0 });
    expect(result.fps).toBeCloseTo(25, 6);
    expect(isAllThere([result])).toBe(true);
  });

  test('is less when the picture stops before the end', () => {
    const result = viewerResult({ frames: framesAt(every40Ms.slice(0, 125)), sound }, window);

    expect(result.fps).toBeLessThan(13);
    expect(result.longestGapMs).toBeGreaterThan(4_800);
  });

  test('is less when the picture starts late', () => {
    const result = viewerResult({ frames: framesAt(every40Ms.slice(125)), sound }, window);

    expect(result.fps).toBeLessThan(13);
  });

  test('is zero without frames', () => {
    const result = viewerResult({ frames: [], sound }, window);

    expect(result).toEqual({ fps: 0, longestGapMs: 10_000, lostMs: 0 });
  });

  test('counts concealed, missing and absent sound', () => {
    const frames = framesAt(every40Ms);
    const quiet = { ...loud, peak: 10 };

    expect(viewerResult({ frames, sound }, { ...window, concealedSamples: 480 }).lostMs).toBe(10);
    expect(viewerResult({ frames, sound: [...sound, quiet, quiet] }, window).lostMs).toBe(20);
    expect(viewerResult({ frames, sound: [] }, window).lostMs).toBe(10_000);
  });
});

describe('a number of sessions that holds', () => {
  const good = { fps: 25, longestGapMs: 60, lostMs: 0 };

  test.each([
    ['at 24.89 fps', { ...good, fps: 24.89 }],
    ['a millisecond of whose sound is lost', { ...good, lostMs: 1 }],
  ])('has none %s', (_, bad) => {
    expect(isAllThere([good, good])).toBe(true);
    expect(isAllThere([good, bad])).toBe(false);
  });
});
