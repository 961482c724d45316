import { beforeEach, describe, expect, test } from 'vitest';
import { OpeningFrames } from '../../../../workers/avatar/transport/opening-frames.ts';
import { TestClock } from '../../../support/test-clock.ts';

const SIZE = { width: 4, height: 4 };

type Sent = { i420: Uint8Array; height: number };

let clock: TestClock;
let opening: OpeningFrames;
let sentTimes: number[];
let frames: Sent[];
const show = (atMs: number, i420 = new Uint8Array(24), size = SIZE) =>
  opening.show(i420, atMs, size);

beforeEach(() => {
  clock = new TestClock();
  sentTimes = [];
  frames = [];
  opening = new OpeningFrames({
    clock,
    fps: 25,
    send: (i420, atMs, { height }) => {
      sentTimes.push(atMs);
      frames.push({ i420: i420.slice(), height });
    },
  });
});

describe('while the track is published, a frame', () => {
  test('is repeated three times before the next one', () => {
    show(0);
    clock.advance(40);
    expect(sentTimes).toEqual([0, 10, 20, 30]);
  });

  test('that comes late is repeated only at the times that are left', () => {
    clock.advance(25);
    show(0);
    clock.advance(15);
    expect(sentTimes).toEqual([0, 30]);
  });

  test('ends the repeats of the one before', () => {
    show(0);
    clock.advance(15);
    show(40);
    clock.advance(5);
    expect(sentTimes).toEqual([0, 10, 40]);
  });
});

describe('every other pair of frames', () => {
  const i420 = Uint8Array.from({ length: 24 }, (_, i) => i);
  const fullFrame = { i420, height: 4 };

  test('lacks two rows of each plane, also when repeated, and the others are whole', () => {
    for (const atMs of [0, 40, 80, 120]) {
      show(atMs, i420);
      clock.advance(40);
    }
    show(160, i420);

    const shorter = { i420: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 20, 21), height: 2 };
    expect(frames).toEqual([
      ...Array.from({ length: 2 * 4 }, () => fullFrame),
      ...Array.from({ length: 2 * 4 }, () => shorter),
      fullFrame,
    ]);
  });

  test('may have another size than the one before', () => {
    const small = Uint8Array.from({ length: 12 }, (_, i) => i);
    show(0, i420);
    show(40, small, { width: 2, height: 4 });
    show(80, i420);
    show(120, small, { width: 2, height: 4 });

    expect(frames[1]).toEqual({ i420: small, height: 4 });
    expect(frames[3]).toEqual({ i420: Uint8Array.of(0, 1, 2, 3, 8, 10), height: 2 });
  });

  test('is whole when the track is negotiated', () => {
    opening.stopSoon();
    clock.advance(250);
    for (const atMs of [250, 290, 330]) show(atMs, i420);

    expect(frames).toEqual([fullFrame, fullFrame, fullFrame]);
  });
});

describe('repeats', () => {
  test('go on while the published track is negotiated, then end', () => {
    opening.stopSoon();
    clock.advance(235);
    show(235);
    clock.advance(45);
    show(280);
    expect(sentTimes).toEqual([235, 245, 280]);
    expect(clock.waiting).toBe(0);
  });

  test('end at once when the room is left', () => {
    show(0);
    opening.stopSoon();
    opening.stop();
    opening.stopSoon();
    expect(clock.waiting).toBe(0);
  });
});
