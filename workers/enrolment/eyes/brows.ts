import type { Area } from '../../bundle/pictures.ts';
import { EYES, type Point } from '../face/face-points.ts';
import type { Head } from '../face/head-crop.ts';
import { heightAt, profileThrough } from '../face/profile.ts';
import { clamp, type Raster, sample } from '../picture/raster.ts';
import { fillSmoothly } from '../picture/smooth-fill.ts';

/** How far brows rise, in millimetres, and the share of it by which the lid's fold follows. */
const RAISED = 3.2;
const FOLD_FOLLOWS = 0.12;

/** Raises both brows by `share` and moves the surrounding skin smoothly. */
export function raiseBrows({ picture, points, mm }: Head, share: number, area: Area, into: Raster) {
  const { width, height } = area;
  const dx = new Float32Array(width * height);
  const dy = new Float32Array(width * height);
  const knownMask = new Uint8Array(width * height);
  const know = (x: number, y: number, down: number) => {
    const [column, row] = [Math.round(x) - area.x, Math.round(y) - area.y];
    if (column < 0 || row < 0 || column >= width || row >= height) return;
    knownMask[row * width + column] = 1;
    dy[row * width + column] = down;
  };
  for (let column = 0; column < width; column++) {
    know(area.x + column, area.y, 0);
    know(area.x + column, area.y + height - 1, 0);
  }
  for (let row = 0; row < height; row++) {
    know(area.x, area.y + row, 0);
    know(area.x + width - 1, area.y + row, 0);
  }
  const up = RAISED * mm * share;
  for (const eye of EYES) {
    rows(points, eye.brow, eye.underBrow, (x, y) => know(x, y - up, up));
    rows(points, eye.upper, eye.lower, (x, y) => know(x, y, 0));
    rows(points, eye.upper, eye.upper, (x, y) => know(x, y - 2 * mm, FOLD_FOLLOWS * up));
  }
  fillSmoothly({ width, height, channels: [dx, dy], knownMask });

  const colour = new Float32Array(4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      sample(picture, area.x + column + dx[at]!, area.y + row + dy[at]!, colour);
      into.values.set(colour, 4 * at);
    }
  }
}

/** Visits every pixel from the upper row to the lower one. */
function rows(
  points: Point[],
  upper: readonly number[],
  lower: readonly number[],
  visit: (x: number, y: number) => void,
) {
  const row = (indexes: readonly number[]) => indexes.map((index) => points[index]!);
  const leftX = Math.max(row(upper)[0]![0], row(lower)[0]![0]);
  const rightX = Math.min(row(upper).at(-1)![0], row(lower).at(-1)![0]);
  const [top, bottom] = [upper, lower].map((each) => profileThrough(row(each), leftX, rightX));
  for (let x = Math.ceil(leftX); x <= rightX; x++) {
    const u = clamp((2 * (x - leftX)) / (rightX - leftX) - 1, -1, 1);
    for (let y = heightAt(top!, u); y <= heightAt(bottom!, u) + 0.5; y++) visit(x, y);
  }
}
