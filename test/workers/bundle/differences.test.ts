import { describe, expect, test } from 'vitest';
import { differenceTo } from '../../../workers/bundle/differences.ts';
import { premultiplied, type PremultipliedPicture } from '../../../workers/bundle/planes.ts';

const AT = { x: 16, y: 8, width: 96, height: 80 };
const FEATHER = 16;

/** A grey picture, except where `light` returns another value. */
function grey(
  width: number,
  height: number,
  light: (x: number, y: number) => number,
  alpha = 255,
): PremultipliedPicture {
  const samples = Uint8Array.from({ length: width * height * 4 }, (_, i) => {
    const pixel = Math.floor(i / 4);
    return i % 4 === 3 ? alpha : light(pixel % width, Math.floor(pixel / width));
  });
  return premultiplied({ width, height, channels: 4, samples });
}

const base = grey(128, 128, () => 100);
const restPicture = grey(AT.width, AT.height, () => 100);
const spot = (x: number, y: number) => (Math.hypot(x - 48, y - 40) < 12 ? 200 : 100);

describe('differences', () => {
  test('exclude rendering noise', () => {
    const noisy = grey(AT.width, AT.height, (x, y) => 100 + ((x * 7 + y * 13) % 3));

    const { area } = differenceTo(base, restPicture, noisy, AT, FEATHER);

    expect(area).toEqual({ x: 0, y: 0, width: 0, height: 0 });
  });

  test('contain the movement and only its close surroundings', () => {
    const { area, y, a } = differenceTo(
      base,
      restPicture,
      grey(AT.width, AT.height, spot),
      AT,
      FEATHER,
    );

    const middle = y[(AT.y + 40 - area.y) * area.width + (AT.x + 48 - area.x)];
    expect(middle).toBe(Math.round(((200 - 100) * 219) / 255));
    expect(a).toBeNull();
    expect(area.width * area.height).toBeLessThan((AT.width * AT.height) / 3);
    expect([area.x % 16, area.y % 2, area.width % 16, area.height % 2]).toEqual([0, 0, 0, 0]);
  });

  test('fade out before the border of the crop', () => {
    const { area, y } = differenceTo(
      base,
      restPicture,
      grey(AT.width, AT.height, () => 180),
      AT,
      FEATHER,
    );

    const at = (column: number, row: number) =>
      Math.abs(y[(row - area.y) * area.width + column - area.x] ?? 0);
    expect(at(AT.x + 48, AT.y + 40)).toBeGreaterThan(60);
    for (let column = AT.x; column < AT.x + AT.width; column++) {
      expect(at(column, AT.y + 1)).toBeLessThanOrEqual(2);
    }
  });

  test('end above the given lowest row', () => {
    const bright = grey(AT.width, AT.height, () => 180);

    const { area, y } = differenceTo(base, restPicture, bright, AT, FEATHER, AT.y + 40);

    expect(area.y + area.height).toBeLessThanOrEqual(AT.y + 40);
    expect(Math.max(...y)).toBeGreaterThan(60);
  });

  test('refer to the base: a highlight there leaves no ghost', () => {
    const shining = grey(128, 128, (x, y) => (Math.hypot(x - 64, y - 48) < 3 ? 255 : 100));

    const { area, y } = differenceTo(
      shining,
      restPicture,
      grey(AT.width, AT.height, spot),
      AT,
      FEATHER,
    );

    const light = shining.y.values[48 * 128 + 64]! + y[(48 - area.y) * area.width + 64 - area.x]!;
    expect(Math.abs(light - (16 + (200 * 219) / 255))).toBeLessThanOrEqual(1);
  });

  test('include alpha where the outline changes', () => {
    const clearBase = grey(128, 128, () => 0, 0);
    const clearRest = grey(AT.width, AT.height, () => 0, 0);

    const { a, y } = differenceTo(
      clearBase,
      clearRest,
      grey(AT.width, AT.height, () => 128),
      AT,
      FEATHER,
    );

    expect(a && Math.max(...a)).toBe(255);
    expect(Math.max(...y)).toBe(Math.round(16 + (128 * 219) / 255));
  });
});
