import type { Mask } from './cut-out.ts';
import { CHIN, OVAL } from '../face/face-points.ts';
import { type Head, SIZE } from '../face/head-crop.ts';
import { ramp } from '../picture/raster.ts';

/** In units of the face oval: where hair surely ends, and where the mask is zero. */
const HEAD_ENDS = 1.7;
const FADED = 2.3;
/** Millimetres below the chin over which the mask widens to the whole body. */
const SHOULDERS = { from: -12, to: 18 };

/**
 * Fallback mask when the model finds no person: a soft oval around the face, and everything below.
 */
export function ovalMask({ points, mm }: Head): Mask {
  const oval = OVAL.map((index) => points[index]!);
  const [across, down] = [oval.map(([x]) => x), oval.map(([, y]) => y)];
  const middle = { x: mid(across), y: mid(down) };
  const half = { x: reach(across), y: reach(down) };
  const chin = points[CHIN]![1];
  return Float32Array.from({ length: SIZE * SIZE }, (_, i) => {
    const [x, y] = [i % SIZE, Math.floor(i / SIZE)];
    const far = Math.hypot((x - middle.x) / half.x, (y - middle.y) / half.y);
    const body = ramp(chin + SHOULDERS.from * mm, chin + SHOULDERS.to * mm, y);
    return Math.max(ramp(FADED, HEAD_ENDS, far), body);
  });
}

const mid = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
const reach = (values: number[]) => (Math.max(...values) - Math.min(...values)) / 2;
