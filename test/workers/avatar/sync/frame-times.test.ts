import { describe, expect, test } from 'vitest';
import { FrameTimes } from '../../../../workers/avatar/sync/frame-times.ts';

describe('frame times', () => {
  test('return the missed share and the rate since the last call', () => {
    const frames = new FrameTimes();
    for (let i = 0; i < 9; i++) frames.count(0, 25);
    frames.count(1, 25);
    frames.count(1, 25);

    const { lateFrames, frameRate } = frames.take();
    expect(lateFrames).toBeCloseTo(2 / 13);
    expect(frameRate).toBe(21.15);
    expect(frames.take()).toEqual({ lateFrames: 0, frameRate: null });
  });
});
