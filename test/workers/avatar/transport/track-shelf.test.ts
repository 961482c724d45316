import { beforeEach, describe, expect, test } from 'vitest';
import { TrackShelf } from '../../../../workers/avatar/transport/track-shelf.ts';
import { TestClock } from '../../../support/test-clock.ts';

const size = { width: 64, height: 64 };

let clock: TestClock;
let shelf: TrackShelf;
beforeEach(() => {
  clock = new TestClock();
  shelf = new TrackShelf(clock);
});

describe('track shelf', () => {
  test('returns tracks once their old room has been left', async () => {
    const tracks = shelf.take(size);
    shelf.put(tracks);

    const otherTracks = shelf.take(size);
    await clock.pass(2_000);

    expect(otherTracks).not.toBe(tracks);
    expect(shelf.take(size)).toBe(tracks);
  });

  test('gives tracks to one session at a time', async () => {
    shelf.put(shelf.take(size));
    await clock.pass(2_000);

    expect(shelf.take(size)).not.toBe(shelf.take(size));
  });

  test('gives tracks only for frames of their size', async () => {
    const tracks = shelf.take(size);
    shelf.put(tracks);
    await clock.pass(2_000);

    expect(shelf.take({ width: 64, height: 96 }).size).toEqual({ width: 64, height: 96 });
    expect(shelf.take(size)).toBe(tracks);
  });
});
