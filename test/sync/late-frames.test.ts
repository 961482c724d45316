import { describe, expect, test } from 'vitest';
import { LateFrames } from '../../workers/avatar/sync/late-frames.ts';

describe('late frames', () => {
  test('tells the share that was missed since it was last asked', () => {
    const frames = new LateFrames();
    for (let i = 0; i < 9; i++) frames.count(0);
    frames.count(1);
    frames.count(1);

    expect(frames.takeShare()).toBeCloseTo(2 / 13);
    expect(frames.takeShare()).toBe(0);
  });
});
