import { describe, expect, test } from 'vitest';
import { fillSmoothly } from '../../../../workers/enrolment/picture/smooth-fill.ts';

describe('a smooth fill', () => {
  test('goes evenly from one known side to the other', () => {
    const [width, height] = [65, 40];
    const values = new Float32Array(width * height);
    const knownMask = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      knownMask[row * width] = 1;
      knownMask[row * width + width - 1] = 1;
      values[row * width + width - 1] = 64;
    }

    fillSmoothly({ width, height, channels: [values], knownMask });

    for (let column = 0; column < width; column++) {
      expect(Math.abs(values[20 * width + column]! - column)).toBeLessThan(3);
    }
  });

  test('keeps what is known and stays between it', () => {
    const values = Float32Array.from({ length: 900 }, (_, i) => (i % 7 === 0 ? i % 50 : -1e9));
    const knownMask = Uint8Array.from({ length: 900 }, (_, i) => (i % 7 === 0 ? 1 : 0));

    fillSmoothly({ width: 30, height: 30, channels: [values], knownMask });

    values.forEach((value, i) => {
      if (knownMask[i]) expect(value).toBe(i % 50);
      expect(value).toBeGreaterThanOrEqual(-10);
      expect(value).toBeLessThanOrEqual(60);
    });
  });
});
