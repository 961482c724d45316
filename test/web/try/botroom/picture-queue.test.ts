import { describe, expect, test } from 'vitest';
import { PictureQueue } from '../../../../src/web/try/botroom/picture-queue.ts';

describe('picture queue', () => {
  test('gives a picture at its time, and once', () => {
    const queue = new PictureQueue<string>();
    queue.push(1, 'one');

    expect([queue.take(0.9), queue.take(1), queue.take(1.1)]).toEqual([null, 'one', null]);
  });

  test('gives the newest picture that is due', () => {
    const queue = new PictureQueue<string>();
    for (const at of [1, 2, 3]) queue.push(at, `${at}`);

    expect([queue.take(2.5), queue.take(9)]).toEqual(['2', '3']);
  });

  test('drops pictures beside sound that was interrupted', () => {
    const queue = new PictureQueue<string>();
    queue.push(5, 'beside the sound');
    queue.push(-Infinity, 'after the interruption');

    expect([queue.take(1), queue.take(9)]).toEqual(['after the interruption', null]);
  });

  test('keeps a bounded number while nothing is drawn', () => {
    const queue = new PictureQueue<number>();
    for (let i = 0; i < 1_000; i++) queue.push(i, i);

    expect([queue.take(939), queue.take(940)]).toEqual([null, 940]);
  });
});
