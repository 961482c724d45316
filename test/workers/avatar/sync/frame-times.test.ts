import { describe, expect, test } from 'vitest';
import { FrameTimes } from '../../../../workers/avatar/sync/frame-times.ts';

describe('frame times', () => {
  test('tell the share that was missed, and the rate, since they were last taken', () => {
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
