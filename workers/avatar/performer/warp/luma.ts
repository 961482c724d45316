import { bounded, clamp, fill, fixed, show } from './lanes';
import { backward, CELL, classes, dirty, EDGE, EMPTY, height, PAD, width } from './state';

// @ts-ignore: decorator
@inline
function iota(): v128 {
  return i16x8(0, 1, 2, 3, 4, 5, 6, 7);
}

/** Of a cell in `drawn`: the sums of its corners' displacements (i32 x, y), and its kind. */
export const DRAWN_BYTES: usize = 12;

/** Luma of black and of white in limited range. */
const BLACK: i32 = 16;
const RANGE: i32 = 219;

/** As `warp`. Returns the number of cells drawn. */
export function luma(
  y: usize,
  a: usize,
  background: usize,
  out: usize,
  opacity: usize,
  drawn: usize,
  hold: i32,
  firstColumn: i32,
  firstRow: i32,
  endColumn: i32,
  endRow: i32,
): i32 {
  let count: i32 = 0;
  const across = width / CELL;
  const down = height / CELL;
  const nodeRow: usize = <usize>(across + 1) << 3;
  const stride = width + 2 * PAD;
  const half = i16x8.splat(128 * 64 + 32);
  for (let cj: i32 = firstRow; cj < endRow; cj++) {
    for (let ci: i32 = firstColumn; ci < endColumn; ci++) {
      const at = backward + (<usize>(cj * (across + 1) + ci) << 3);
      const upper = fixed(at);
      const lower = fixed(at + nodeRow);
      const x00 = i32x4.extract_lane(upper, 0);
      const y00 = i32x4.extract_lane(upper, 1);
      const x10 = i32x4.extract_lane(upper, 2);
      const y10 = i32x4.extract_lane(upper, 3);
      const x01 = i32x4.extract_lane(lower, 0);
      const y01 = i32x4.extract_lane(lower, 1);
      const x11 = i32x4.extract_lane(lower, 2);
      const y11 = i32x4.extract_lane(lower, 3);
      const sumX = x00 + x10 + x01 + x11;
      const sumY = y00 + y10 + y01 + y11;
      const sourceX = (ci * CELL + 4 + (sumX >> 18)) >> 3;
      const sourceY = (cj * CELL + 4 + (sumY >> 18)) >> 3;
      const kind = <i32>load<u8>(
        classes + <usize>(clamp(sourceY, 0, down - 1) * across + clamp(sourceX, 0, across - 1)),
      );
      const cell = <usize>(cj * across + ci);
      const last = drawn + cell * DRAWN_BYTES;
      const isHeld =
        hold >= 0 &&
        kind == <i32>load<u8>(last + 8) &&
        (kind == EMPTY || (abs(sumX - load<i32>(last)) < hold && abs(sumY - load<i32>(last + 4)) < hold));
      store<u8>(dirty + cell, isHeld ? 0 : 1);
      if (isHeld) continue;
      store<i32>(last, sumX);
      store<i32>(last + 4, sumY);
      store<u8>(last + 8, <u8>kind);
      count++;
      if (opacity && kind != EDGE)
        fill(opacity, width, ci * CELL, cj * CELL, <u8>(kind == EMPTY ? BLACK : BLACK + RANGE));
      if (kind == EMPTY) {
        show(background, out, width, ci * CELL, cj * CELL);
        continue;
      }

      // The source of the row's first pixel and the distance between sources of adjacent pixels,
      // row by row.
      const downX = (x01 - x00) >> 3;
      const downY = (y01 - y00) >> 3;
      const bendX = (x11 - x01 - x10 + x00) >> 6;
      const bendY = (y11 - y01 - y10 + y00) >> 6;
      let stepX = ((x10 - x00) >> 3) + (bendX >> 1);
      let stepY = ((y10 - y00) >> 3) + (bendY >> 1);
      let leftX = ((ci * CELL) << 16) + x00 + (downX >> 1);
      let leftY = ((cj * CELL) << 16) + y00 + (downY >> 1);
      let to = out + <usize>(cj * CELL * width + ci * CELL);
      for (let r: i32 = 0; r < CELL; r++) {
        const px = leftX + (stepX >> 1);
        const py = leftY + (stepY >> 1);
        const x0 = px >> 16;
        const y0 = py >> 16;
        // Source coordinates relative to (x0, y0), with 11 fractional bits.
        const inX = (px >> 5) & 2047;
        const inY = (py >> 5) & 2047;
        const placeX = i16x8.add(
          i16x8.splat(<i16>inX),
          i16x8.mul(iota(), i16x8.splat(<i16>(2048 + (stepX >> 5)))),
        );
        const placeY = i16x8.add(
          i16x8.splat(<i16>inY),
          i16x8.mul(iota(), i16x8.splat(<i16>(stepY >> 5))),
        );
        const lastRow = (inY + 7 * (stepY >> 5)) >> 11;
        leftX += downX;
        leftY += downY + 65536;
        stepX += bendX;
        stepY += bendY;
        const low = i16x8.splat(2047);
        const tx = i16x8.shl(v128.and(placeX, low), 3);
        const ty = i16x8.shl(v128.and(placeY, low), 3);
        const column8 = i16x8.shr_s(placeX, 11);
        const inner = i16x8.add(i16x8.mul(column8, i16x8.splat(0x0101)), i16x8.splat(0x0201));
        const outer = i16x8.add(inner, i16x8.splat(0x00ff));
        const rows = i16x8.shr_s(placeY, 11);

        // Catmull-Rom weights: horizontal of 64, vertical of 32767. Sums saturate because a
        // weight of 1 does not fit in 16 bits.
        const ax = i16x8.relaxed_q15mulr_s(tx, i16x8.shl(tx, 1));
        const bx = i16x8.relaxed_q15mulr_s(ax, i16x8.shl(tx, 1));
        const minusH0 = of64(i16x8.add(i16x8.sub(tx, i16x8.shl(ax, 1)), bx));
        const minusH3 = of64(i16x8.sub(ax, bx));
        const h2 = of64(
          i16x8.add_sat_s(tx, i16x8.sub(i16x8.shl(ax, 2), i16x8.add(bx, i16x8.shl(bx, 1)))),
        );
        const h1 = i16x8.sub(i16x8.add(i16x8.splat(64), i16x8.add(minusH0, minusH3)), h2);
        const hInner = v128.or(h1, i16x8.shl(h2, 8));
        const hOuter = v128.or(minusH0, i16x8.shl(minusH3, 8));
        const ay = i16x8.relaxed_q15mulr_s(ty, i16x8.shl(ty, 1));
        const by = i16x8.relaxed_q15mulr_s(ay, i16x8.shl(ty, 1));
        const w0 = i16x8.sub(i16x8.sub(i16x8.shl(ay, 1), ty), by);
        const w3 = i16x8.sub(by, ay);
        const w2 = i16x8.add_sat_s(
          ty,
          i16x8.sub(i16x8.shl(ay, 2), i16x8.add(by, i16x8.shl(by, 1))),
        );
        const otherWeights = i16x8.add(w2, i16x8.add(w0, w3));
        const w1 = i16x8.sub_sat_s(i16x8.splat(32767), otherWeights);

        const top = min(0, lastRow);
        const column = clamp(x0, 1 - PAD, width + PAD - 17) - 1;
        const from = <usize>((clamp(y0 + top, 1 - PAD, height + PAD - 5) - 1) * stride + column);

        let light: v128;
        let cover = half;
        if (lastRow == 0) {
          light = cubic(y + from, stride, inner, outer, hInner, hOuter, w0, w1, w2, w3);
          if (kind == EDGE) cover = cubic(a + from, stride, inner, outer, hInner, hOuter, w0, w1, w2, w3);
        } else {
          // The row slopes: its left and right pixels come from sets of four rows that differ by
          // one row.
          const lower = i16x8.gt_s(rows, i16x8.splat(<i16>top));
          const v0 = v128.andnot(w0, lower);
          const v1 = v128.bitselect(w0, w1, lower);
          const v2 = v128.bitselect(w1, w2, lower);
          const v3 = v128.bitselect(w2, w3, lower);
          const v4 = v128.and(w3, lower);
          const fifth = <usize>(4 * stride);
          light = i16x8.add(
            cubic(y + from, stride, inner, outer, hInner, hOuter, v0, v1, v2, v3),
            i16x8.relaxed_q15mulr_s(cubicRow(y + from + fifth, inner, outer, hInner, hOuter), v4),
          );
          if (kind == EDGE)
            cover = i16x8.add(
              cubic(a + from, stride, inner, outer, hInner, hOuter, v0, v1, v2, v3),
              i16x8.relaxed_q15mulr_s(cubicRow(a + from + fifth, inner, outer, hInner, hOuter), v4),
            );
        }
        light = i16x8.shr_s(i16x8.add(light, half), 6);
        if (kind == EDGE) {
          const opaque = bounded(i16x8.shr_s(i16x8.add(cover, half), 6));
          if (opacity) {
            const grey = i16x8.add(i16x8.mul(opaque, i16x8.splat(<i16>RANGE)), i16x8.splat(128));
            const level = i16x8.add(i16x8.shr_u(grey, 8), i16x8.splat(<i16>BLACK));
            store<u64>(opacity + (to - out), i64x2.extract_lane(i8x16.narrow_i16x8_u(level, level), 0));
          }
          const clear = i16x8.sub(i16x8.splat(255), opaque);
          const behind = i16x8.add(i16x8.mul(clear, v128.load8x8_u(background + (to - out))), i16x8.splat(128));
          light = i16x8.add(light, i16x8.shr_u(i16x8.add(behind, i16x8.shr_u(behind, 8)), 8));
        }
        store<u64>(to, i64x2.extract_lane(i8x16.narrow_i16x8_u(light, light), 0));
        to += width;
      }
    }
  }
  return count;
}

// @ts-ignore: decorator
@inline
function of64(weight: v128): v128 {
  return i16x8.shr_s(i16x8.add(i16x8.shr_s(weight, 8), i16x8.splat(1)), 1);
}

/**
 * 8 pixels from four rows, with 6 fractional bits. `from` is one pixel up and left of the first.
 */
// @ts-ignore: decorator
@inline
function cubic(
  from: usize,
  stride: i32,
  inner: v128,
  outer: v128,
  hInner: v128,
  hOuter: v128,
  w0: v128,
  w1: v128,
  w2: v128,
  w3: v128,
): v128 {
  const rowStep = <usize>stride;
  const upper = i16x8.add(
    i16x8.relaxed_q15mulr_s(cubicRow(from, inner, outer, hInner, hOuter), w0),
    i16x8.relaxed_q15mulr_s(cubicRow(from + rowStep, inner, outer, hInner, hOuter), w1),
  );
  const lower = i16x8.add(
    i16x8.relaxed_q15mulr_s(cubicRow(from + 2 * rowStep, inner, outer, hInner, hOuter), w2),
    i16x8.relaxed_q15mulr_s(cubicRow(from + 3 * rowStep, inner, outer, hInner, hOuter), w3),
  );
  return i16x8.add(upper, lower);
}

/** Inner taps minus outer taps: the dot product takes no negative weights. */
// @ts-ignore: decorator
@inline
function cubicRow(from: usize, inner: v128, outer: v128, hInner: v128, hOuter: v128): v128 {
  const bytes = v128.load(from);
  return i16x8.sub(
    i16x8.relaxed_dot_i8x16_i7x16_s(i8x16.relaxed_swizzle(bytes, inner), hInner),
    i16x8.relaxed_dot_i8x16_i7x16_s(i8x16.relaxed_swizzle(bytes, outer), hOuter),
  );
}
