import { expect, test } from 'vitest';
import { keyPixels } from '../../../../src/web/call/picture/keyed-pixels.ts';

const keyed = (avatar: number[], opacity: number) => {
  const pixels = new Uint8ClampedArray([...avatar, 255]);
  keyPixels(pixels, new Uint8ClampedArray([opacity, opacity, opacity, 255]));
  return [...pixels];
};

test('keeps what is opaque, and removes what is not', () => {
  expect(keyed([200, 100, 50], 255)).toEqual([200, 100, 50, 255]);
  expect(keyed([0, 0, 0], 0)).toEqual([0, 0, 0, 0]);
});

test('gives an edge its own colour, without the black behind it', () => {
  const [red, green, blue, alpha] = keyed([100, 50, 0], 128);

  expect(alpha).toBeGreaterThan(120);
  expect(alpha).toBeLessThan(136);
  expect(Math.abs(red! - 200)).toBeLessThan(8);
  expect(Math.abs(green! - 100)).toBeLessThan(6);
  expect(blue).toBe(0);
});

test('ignores what encoders add to empty and to opaque places', () => {
  expect(keyed([6, 5, 7], 7)).toEqual([0, 0, 0, 0]);
  expect(keyed([200, 100, 50], 248)[3]).toBe(255);
});
