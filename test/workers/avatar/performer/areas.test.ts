import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merged } from '../../../../workers/avatar/performer/areas.ts';

const area = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height });

describe('merged areas', () => {
  test('stay separate unless they touch', () => {
    expect(merged([area(0, 0), area(30, 0)])).toEqual([area(0, 0), area(30, 0)]);
    expect(merged([area(0, 0), area(5, 5)])).toEqual([area(0, 0, 15, 15)]);
  });

  test('merge when a third area connects them', () => {
    expect(merged([area(0, 0), area(20, 0), area(10, 0)])).toEqual([area(0, 0, 30, 10)]);
  });

  test('cover all input areas, and no point twice', () => {
    const anArea = fc.record({
      x: fc.nat(100),
      y: fc.nat(100),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(anArea, { maxLength: 6 }), fc.nat(140), fc.nat(140), (areas, x, y) => {
        const covering = merged(areas).filter((each) => holds(each, x, y)).length;
        expect(covering).toBeLessThanOrEqual(1);
        if (areas.some((each) => holds(each, x, y))) expect(covering).toBe(1);
      }),
    );
  });
});

const holds = (each: ReturnType<typeof area>, x: number, y: number) =>
  x >= each.x && x < each.x + each.width && y >= each.y && y < each.y + each.height;
