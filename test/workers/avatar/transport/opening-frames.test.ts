import { beforeEach, describe, expect, test } from 'vitest';
import {
  OpeningFrames,
  type Picture,
} from '../../../../workers/avatar/transport/opening-frames.ts';
import { TestClock } from '../../../support/test-clock.ts';

const FPS = 25;

let clock: TestClock;
let opening: OpeningFrames;
let sent: number[];
let pictures: Picture[];
const show = (atMs: number, picture = { i420: new Uint8Array(24), width: 4, height: 4 }) =>
  opening.show(picture, atMs, (shown, shownMs) => {
    sent.push(shownMs);
    pictures.push(shown);
  });

beforeEach(() => {
  clock = new TestClock();
  opening = new OpeningFrames(clock, FPS);
  sent = [];
  pictures = [];
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

describe('every other frame', () => {
  const picture = { i420: Uint8Array.from({ length: 24 }, (_, i) => i), width: 4, height: 4 };

  test('lacks two rows of each plane, also when repeated, and the others are whole', () => {
    show(0, picture);
    clock.advance(40);
    show(40, picture);
    clock.advance(40);
    show(80, picture);

    const shorter = { i420: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 20, 21), width: 4 };
    expect(pictures).toEqual([
      ...Array.from({ length: 4 }, () => picture),
      ...Array.from({ length: 4 }, () => ({ ...shorter, height: 2 })),
      picture,
    ]);
  });

  test('is whole when the track is negotiated', () => {
    opening.stopSoon();
    clock.advance(250);
    for (const atMs of [250, 290, 330]) show(atMs, picture);

    expect(pictures).toEqual([picture, picture, picture]);
  });
});

describe('repeats', () => {
  test('go on while the published track is negotiated, then end', () => {
    opening.stopSoon();
    clock.advance(235);
    show(235);
    clock.advance(45);
    show(280);
    expect(sent).toEqual([235, 245, 280]);
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
