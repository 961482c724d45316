/** The shape of the place for the picture. */
export type Screen = 'landscape' | 'portrait';

/** A place less wide or high than this fits a square picture. */
const SQUARE_WITHIN = 1.05;

/** Null: about as wide as high, or not shown yet. */
export function screenOf({ width, height }: { width: number; height: number }): Screen | null {
  if (width > SQUARE_WITHIN * height) return 'landscape';
  return height > SQUARE_WITHIN * width ? 'portrait' : null;
}
