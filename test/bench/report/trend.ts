import { median } from '../machine.ts';

export type Point = { at: number; value: number };

/**
 * Slope per unit of `at`: the median of the slopes of all pairs (Theil, 1950; Sen, 1968), which is
 * robust to outliers.
 */
export function slope(points: Point[]): number {
  const slopes = points.flatMap((point, i) =>
    points
      .slice(i + 1)
      .map((laterPoint) => (laterPoint.value - point.value) / (laterPoint.at - point.at)),
  );
  return median(slopes);
}
