import { beforeEach, describe, expect, test } from 'vitest';
import { FrameRepeats } from '../../../../workers/avatar/transport/frame-repeats.ts';
import { TestClock } from '../../../support/test-clock.ts';

const FPS = 25;

let clock: TestClock;
let repeats: FrameRepeats;
let sent: number[];
const show = (atMs: number) => {
  sent.push(atMs);
  repeats.follow(atMs, (repeatMs) => sent.push(repeatMs));
};

beforeEach(() => {
  clock = new TestClock();
  repeats = new FrameRepeats(clock, FPS);
  sent = [];
});

describe('while the track is published, a frame', () => {
  test('is repeated three times before the next one', () => {
    show(0);
    clock.advance(40);
    expect(sent).toEqual([0, 10, 20, 30]);
  });

  test('that comes late is repeated only at the times that are left', () => {
    clock.advance(25);
    show(0);
    clock.advance(15);
    expect(sent).toEqual([0, 30]);
  });

  test('ends the repeats of the one before', () => {
    show(0);
    clock.advance(15);
    show(40);
    clock.advance(5);
    expect(sent).toEqual([0, 10, 40]);
  });
});

describe('repeats', () => {
  test('go on while the published track is negotiated, then end', () => {
    repeats.stopSoon();
    clock.advance(235);
    show(235);
    clock.advance(45);
    show(280);
    expect(sent).toEqual([235, 245, 280]);
    expect(clock.waiting).toBe(0);
  });

  test('end at once when the room is left', () => {
    show(0);
    repeats.stopSoon();
    repeats.stop();
    repeats.stopSoon();
    expect(clock.waiting).toBe(0);
  });
});
