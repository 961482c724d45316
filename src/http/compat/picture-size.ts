import { FRAME_LIMITS } from '#protocol/pictures/frames.ts';

type Size = { width: number; height: number };

const { leastSide, mostSide, mostRatio } = FRAME_LIMITS;

/** The nearest size that a session can have, in the same shape if possible. */
export function fittedSize({ width, height }: Size): Size {
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  const scale = longer > mostSide ? mostSide / longer : Math.max(1, leastSide / shorter);
  const least = Math.max(leastSide, (longer * scale) / mostRatio);
  const side = (value: number) =>
    Math.min(mostSide, 2 * Math.round(Math.max(least, value * scale) / 2));
  return { width: side(width), height: side(height) };
}
