import { beforeEach, describe, expect, test } from 'vitest';
import { FrameNotes } from '../../../../workers/avatar/sync/frame-notes.ts';
import { TestClock } from '../../../support/test-clock.ts';

let clock: TestClock;
let records: object[];
let notes: FrameNotes;
beforeEach(() => {
  clock = new TestClock();
  records = [];
  notes = new FrameNotes(clock, 25, (rates) => records.push(rates));
});

/** Shows `frames` frames evenly over ten seconds, each after `missed` missed ones. */
function show(frames: number, missed = 0): void {
  for (let i = 0; i < frames; i++) {
    notes.count(missed);
    clock.advance(10_000 / frames);
  }
}

describe('frame notes', () => {
  test('are recorded every ten seconds, if changed', () => {
    show(250);
    show(250);
    show(125, 1);
    show(250);

    expect(records).toEqual([
      { frameRate: 25, missedFrames: 0 },
      { frameRate: 12.5, missedFrames: 125 },
      { frameRate: 25, missedFrames: 0 },
    ]);
    notes.close();
    expect(clock.waiting).toBe(0);
  });

  test('are recorded at the end for the remaining frames', () => {
    notes.count(0);
    notes.count(1);
    clock.advance(80);

    notes.close();

    expect(records).toEqual([{ frameRate: 16.67, missedFrames: 1 }]);
    expect(clock.waiting).toBe(0);
  });

  test('are not recorded without a frame', () => {
    notes.close();

    expect(records).toEqual([]);
  });
});
