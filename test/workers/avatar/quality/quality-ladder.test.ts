import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { Quality } from '#protocol/qualities.ts';
import { QualityLadder } from '../../../../workers/avatar/quality/quality-ladder.ts';
import { TestClock } from '../../../support/test-clock.ts';

const FPS = 25;
const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let changes: Quality[];
beforeEach(() => {
  clock = new TestClock();
  changes = [];
});

function open(lowest: Quality = 'still_picture'): QualityLadder {
  const ladder = new QualityLadder({ clock, log, lowest });
  ladder.onChange((quality) => changes.push(quality));
  return ladder;
}

/** Frames of two sessions for whole seconds. After each shown frame, `missed` are not. */
function show(ladder: QualityLadder, seconds: number, missed: number): void {
  for (let second = 0; second < seconds; second++) {
    for (let i = 0; i < FPS; i += 1 + missed)
      for (let session = 0; session < 2; session++) ladder.count(missed, FPS);
    clock.advance(1000);
  }
}

describe('the quality of all sessions of a worker', () => {
  test('falls and rises with their missed frames, and tells each change', () => {
    const ladder = open();

    show(ladder, 6, 4);
    expect(ladder.quality).toBe('still_picture');
    show(ladder, 50, 0);

    expect(ladder.quality).toBe('full');
    const down = ['fewer_frames', 'smaller_picture', 'mouth_only', 'still_picture'];
    expect(changes).toEqual([...down, 'mouth_only', 'smaller_picture', 'fewer_frames', 'full']);
    ladder.close();
    expect(clock.waiting).toBe(0);
  });

  test('rises while there are no sessions', () => {
    const ladder = open();
    show(ladder, 2, 4);
    expect(ladder.quality).toBe('fewer_frames');

    clock.advance(12_000);

    expect(ladder.quality).toBe('full');
    ladder.close();
  });

  test('stops at the lowest that is set', () => {
    const [smallerPicture, fullOnly] = [open('smaller_picture'), open('full')];

    for (let i = 0; i < 20; i++) {
      for (let frame = 0; frame < 5; frame++) {
        smallerPicture.count(4, FPS);
        fullOnly.count(4, FPS);
      }
      clock.advance(1000);
    }

    expect(smallerPicture.quality).toBe('smaller_picture');
    expect(fullOnly.quality).toBe('full');
    smallerPicture.close();
    fullOnly.close();
  });

  test('is not told to listeners that have stopped', () => {
    const ladder = open();
    const qualities: Quality[] = [];
    const stop = ladder.onChange((quality) => qualities.push(quality));
    show(ladder, 2, 4);
    stop();

    show(ladder, 1, 4);

    expect(qualities).toEqual(['fewer_frames']);
    expect(changes).toEqual(['fewer_frames', 'smaller_picture']);
    ladder.close();
  });
});
