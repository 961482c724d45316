import { beforeEach, describe, expect, test } from 'vitest';
import { Pictures } from '../../../../../workers/avatar/transport/botroom/pictures.ts';

const FRAME_MS = 40;

let pictures: Pictures;
let sentPictures: [number, number][];
let encoded: number;
let isBlocked: boolean;
let atMs: number;

beforeEach(() => {
  sentPictures = [];
  encoded = 0;
  isBlocked = false;
  atMs = 1_000;
  let lastValue = -1;
  pictures = new Pictures({
    encode: (i420) => {
      encoded += 1;
      if (i420[0] === lastValue) return null;
      lastValue = i420[0]!;
      return Uint8Array.of(lastValue);
    },
    send: (jpeg, sinceMs) => sentPictures.push([jpeg[0]!, sinceMs]),
    isBlocked: () => isBlocked,
  });
});

const show = (...values: number[]) => {
  for (const value of values) {
    pictures.show(Uint8Array.of(value), atMs);
    atMs += FRAME_MS;
  }
};
const still = (frames: number, value: number) => show(...Array<number>(frames).fill(value));

describe('pictures of a botroom', () => {
  test('leave at the start with the latest one, then each one that changes', () => {
    show(1, 2);

    pictures.start();
    show(3, 3, 4);

    expect(sentPictures).toEqual([
      [2, 40],
      [3, 80],
      [4, 160],
    ]);
  });

  test('leave once a second while nothing changes', () => {
    show(1);
    pictures.start();

    still(250, 1);

    const times = sentPictures.map(([, sinceMs]) => sinceMs);
    const gaps = times.slice(1).map((time, i) => time - times[i]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000);
    expect(sentPictures.length).toBeLessThanOrEqual(12);
  });

  test('all leave to a receiver that needs unchanged ones too', () => {
    show(1);
    pictures.start();

    pictures.sendsAll = true;
    still(3, 1);

    expect(sentPictures).toEqual([
      [1, 0],
      [1, 40],
      [1, 80],
      [1, 120],
    ]);
  });

  test('are skipped while the network is too slow, not queued', () => {
    show(1);
    pictures.start();
    isBlocked = true;
    show(2, 3, 4);
    const encodedCount = encoded;

    isBlocked = false;
    show(5);

    expect(encodedCount).toBe(1);
    expect(sentPictures.map(([value]) => value)).toEqual([1, 5]);
  });

  test('that changed and changed back while blocked leave again within a second', () => {
    show(1);
    pictures.start();
    isBlocked = true;
    show(2);
    isBlocked = false;

    still(24, 1);

    expect(sentPictures.map(([value]) => value)).toEqual([1, 1]);
  });

  test('leave again when the receiver may know none', () => {
    show(1);
    pictures.start();
    show(1);

    pictures.restart();
    show(1);

    expect(sentPictures).toEqual([
      [1, 0],
      [1, 80],
    ]);
  });
});
