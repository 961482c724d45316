import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, inkOn } from '../../../src/web/look/accent.ts';

const channel = fc.nat(255);
const color = fc
  .tuple(channel, channel, channel)
  .map((values) => `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`);

/** As `color-mix(in srgb, ...)`. */
const mix = (share: number, colorA: string, colorB: string): string =>
  `#${[1, 3, 5]
    .map((at) => {
      const [a, b] = [colorA, colorB].map((each) => parseInt(each.slice(at, at + 2), 16));
      return Math.round(share * a! + (1 - share) * b!)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;

describe('the text on an accent colour', () => {
  test.each([
    ['#ffd400', '#000000'],
    ['#000080', '#ffffff'],
    ['#777777', '#000000'],
  ])('on %s is %s', (accent, ink) => {
    expect(inkOn(accent)).toBe(ink);
  });

  test('can be read on every colour, also while a pointer is over it', () => {
    fc.assert(
      fc.property(color, (accent) => {
        expect(contrast(accent, inkOn(accent))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(mix(0.1, inkOn(accent), accent), inkOn(accent))).toBeGreaterThan(3);
      }),
    );
  });

  test.each([
    ['light', '#fcfdf9', '#14201a'],
    ['dark', '#161e1a', '#edf2ea'],
  ])('of a visitor can be read in the %s look', (_, surface, ink) => {
    fc.assert(
      fc.property(color, (accent) => {
        expect(contrast(mix(0.24, accent, surface), ink)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test.each([
    ['#000000', '#ffffff', 21],
    ['#5b3fd6', '#5b3fd6', 1],
  ])('has a contrast from %s to %s of %s', (colorA, colorB, expected) => {
    expect(contrast(colorA, colorB)).toBeCloseTo(expected);
  });
});
