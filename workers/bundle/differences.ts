import { ACROSS_STEP, DOWN_STEP, type Rectangle } from './format.ts';
import type { Area } from './pictures.ts';
import {
  cut,
  gauss,
  halved,
  type Plane,
  plane,
  type PremultipliedPicture,
  widened,
} from './planes.ts';

/*
 * The change that a mouth or an eye state makes to the base picture.
 *
 * Two renders differ by noise even where nothing moves (about half a level between two crops,
 * nearly two between a crop and the whole picture), and noise that comes and goes flickers. A mask
 * therefore marks movement, found by comparing the crop with the crop at rest. Within the mask, the
 * stored difference is to the base itself: otherwise a highlight in the base would remain as a
 * ghost.
 */

/** Difference in levels: no movement below the first, full weight above the second. */
const NOISE = 3;
const CERTAIN = 8;
/** Alpha changes below this are noise of thin hair. */
const ALPHA_NOISE = 0.03;
/** Differences below this in all planes, in levels, are dropped. */
const UNSEEN = 0.4;

export type DifferencePlanes = {
  area: Rectangle;
  y: Int16Array;
  a: Int16Array | null;
  u: Int16Array;
  v: Int16Array;
};

/**
 * `rest` and `shown` are crops at `at` of the whole picture `base`. Fades out over `feather` pixels
 * at the border. `lowest` may raise its lower edge.
 */
export function differenceTo(
  base: PremultipliedPicture,
  rest: PremultipliedPicture,
  picture: PremultipliedPicture,
  at: Area,
  feather: number,
  lowest = at.y + at.height,
): DifferencePlanes {
  const moved = movement(rest, picture);
  const mask = softened(moved.change, feather, lowest - at.y);
  const outline = widened(moved.outline, 3);

  const { width, height } = at;
  const under = {
    y: cut(base.y, at.x, at.y, width, height).values,
    a: cut(base.a, at.x, at.y, width, height).values,
    u: cut(base.u, at.x, at.y, width, height).values,
    v: cut(base.v, at.x, at.y, width, height).values,
  };
  const change = {
    y: plane(width, height),
    a: plane(width, height),
    u: plane(width, height),
    v: plane(width, height),
  };
  for (let i = 0; i < width * height; i++) {
    const share = mask.values[i] ?? 0;
    const y = ((picture.y.values[i] ?? 0) - (under.y[i] ?? 0)) * share;
    const u = ((picture.u.values[i] ?? 0) - (under.u[i] ?? 0)) * share;
    const v = ((picture.v.values[i] ?? 0) - (under.v[i] ?? 0)) * share;
    const a = ((picture.a.values[i] ?? 0) - (under.a[i] ?? 0)) * share * 255;
    if (Math.max(Math.abs(y), Math.abs(u), Math.abs(v)) < UNSEEN) continue;
    change.y.values[i] = y;
    change.u.values[i] = u;
    change.v.values[i] = v;
    if ((outline.values[i] ?? 0) > 0) change.a.values[i] = a;
  }
  return packed(change, at);
}

function movement(
  rest: PremultipliedPicture,
  picture: PremultipliedPicture,
): { change: Plane; outline: Plane } {
  const { width, height } = rest.y;
  const change = plane(width, height);
  const outline = plane(width, height);
  for (let i = 0; i < width * height; i++) {
    const alpha = Math.abs((picture.a.values[i] ?? 0) - (rest.a.values[i] ?? 0));
    outline.values[i] = alpha < ALPHA_NOISE ? 0 : alpha;
    change.values[i] = Math.max(
      Math.abs((picture.y.values[i] ?? 0) - (rest.y.values[i] ?? 0)),
      Math.abs((picture.u.values[i] ?? 0) - (rest.u.values[i] ?? 0)),
      Math.abs((picture.v.values[i] ?? 0) - (rest.v.values[i] ?? 0)),
      255 * (outline.values[i] ?? 0),
    );
  }
  return { change, outline };
}

function softened(moved: Plane, feather: number, bottom: number): Plane {
  const spread = widened(gauss(moved, 1.5), 2);
  for (let i = 0; i < spread.values.length; i++) {
    spread.values[i] = ramp(((spread.values[i] ?? 0) - NOISE) / (CERTAIN - NOISE));
  }
  const mask = gauss(spread, 2.5);
  for (let row = 0; row < mask.height; row++) {
    const down = ramp(Math.min(row, bottom - 1 - row) / feather);
    for (let column = 0; column < mask.width; column++) {
      const across = ramp(Math.min(column, mask.width - 1 - column) / feather);
      const i = row * mask.width + column;
      mask.values[i] = (mask.values[i] ?? 0) * across * down;
    }
  }
  return mask;
}

function ramp(share: number): number {
  const inside = Math.min(1, Math.max(0, share));
  return inside * inside * (3 - 2 * inside);
}

/** Crops to the rectangle that changes, aligned to the format's steps. */
function packed(change: PremultipliedPicture, at: Area): DifferencePlanes {
  const area = changedArea(change, at);
  if (area.width === 0) {
    const emptyPlane = new Int16Array();
    return { area, y: emptyPlane, a: null, u: emptyPlane, v: emptyPlane };
  }
  const part = (of: Plane) => cut(of, area.x - at.x, area.y - at.y, area.width, area.height);
  const alpha = rounded(part(change.a));
  return {
    area,
    y: rounded(part(change.y)),
    a: alpha.some((value) => value !== 0) ? alpha : null,
    u: rounded(halved(part(change.u))),
    v: rounded(halved(part(change.v))),
  };
}

function changedArea(change: PremultipliedPicture, at: Area): Rectangle {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let row = 0; row < at.height; row++) {
    for (let column = 0; column < at.width; column++) {
      const i = row * at.width + column;
      const changes = change.y.values[i] || change.u.values[i] || change.v.values[i];
      if (!changes && !change.a.values[i]) continue;
      left = Math.min(left, column);
      right = Math.max(right, column + 1);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row + 1);
    }
  }
  if (right <= left) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.floor((at.x + left) / ACROSS_STEP) * ACROSS_STEP;
  const y = Math.floor((at.y + top) / DOWN_STEP) * DOWN_STEP;
  return {
    x,
    y,
    width: Math.ceil((at.x + right - x) / ACROSS_STEP) * ACROSS_STEP,
    height: Math.ceil((at.y + bottom - y) / DOWN_STEP) * DOWN_STEP,
  };
}

function rounded({ values }: Plane): Int16Array {
  const result = new Int16Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = Math.round(values[i]!);
  return result;
}
