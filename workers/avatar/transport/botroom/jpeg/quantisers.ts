/*
 * Quantisers in zigzag order. The tables are those of ITU-T T.81, annex K.1, and the quality scales
 * them as libjpeg's does.
 */

/** Row and column of each coefficient, along the diagonals of a block. */
export const ZIGZAG: readonly { row: number; column: number }[] = Array.from(
  { length: 15 },
  (_, diagonal) => {
    const places = Array.from({ length: 8 }, (_, row) => ({ row, column: diagonal - row })).filter(
      ({ column }) => column >= 0 && column < 8,
    );
    return diagonal % 2 === 0 ? places.toReversed() : places;
  },
).flat();

// By rows.
const LUMA = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99],
];
const CHROMA = [
  [17, 18, 24, 47, 99, 99, 99, 99],
  [18, 21, 26, 66, 99, 99, 99, 99],
  [24, 26, 56, 99, 99, 99, 99, 99],
  [47, 66, 99, 99, 99, 99, 99, 99],
  [99, 99, 99, 99, 99, 99, 99, 99],
  [99, 99, 99, 99, 99, 99, 99, 99],
  [99, 99, 99, 99, 99, 99, 99, 99],
  [99, 99, 99, 99, 99, 99, 99, 99],
];

/** With a step of 1, coefficients would not fit in baseline JPEG after the change of range. */
const LEAST = 2;

export function quantisers(quality: number): { luma: number[]; chroma: number[] } {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const scaled = (table: number[][]) =>
    ZIGZAG.map(({ row, column }) =>
      Math.min(255, Math.max(LEAST, Math.floor((table[row]![column]! * percent + 50) / 100))),
    );
  return { luma: scaled(LUMA), chroma: scaled(CHROMA) };
}
