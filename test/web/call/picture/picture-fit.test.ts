import { describe, expect, test } from 'vitest';
import { pictureFit, screenOf, shapeOf } from '../../../../src/web/call/picture/picture-fit.ts';

const SQUARE = { width: 512, height: 512 };
const LANDSCAPE = { width: 1280, height: 720 };
const PORTRAIT = { width: 720, height: 1280 };

describe('fit of a picture', () => {
  test.each([
    ['a landscape picture on a wide stage', LANDSCAPE, { width: 1484, height: 1056 }, 'cover'],
    [
      'a landscape picture on a stage beside a chat',
      LANDSCAPE,
      { width: 898, height: 776 },
      'cover',
    ],
    ['a landscape picture on a phone', LANDSCAPE, { width: 390, height: 844 }, 'contain'],
    ['a portrait picture on a phone', PORTRAIT, { width: 390, height: 844 }, 'cover'],
    ['a portrait picture on a wide stage', PORTRAIT, { width: 1484, height: 1056 }, 'contain'],
    ['a square picture on a nearly square stage', SQUARE, { width: 898, height: 776 }, 'cover'],
    ['a square picture on a wide stage', SQUARE, { width: 1484, height: 1056 }, 'contain'],
    ['a square picture on a phone', SQUARE, { width: 390, height: 490 }, 'cover'],
  ])('%s', (_case, picture, box, fit) => {
    expect(pictureFit(picture, box)).toBe(fit);
  });
});

test('names the shape of a picture', () => {
  expect([SQUARE, LANDSCAPE, PORTRAIT].map(shapeOf)).toEqual(['square', 'landscape', 'portrait']);
});

test('asks for the shape of the box, once it has a size', () => {
  expect([SQUARE, LANDSCAPE, PORTRAIT].map(screenOf)).toEqual([
    'landscape',
    'landscape',
    'portrait',
  ]);
  expect(screenOf({ width: 0, height: 300 })).toBeNull();
});
