import { bounded, clamp, fixed, show } from './lanes';
import { DRAWN_BYTES } from './luma';
import { backward, CELL, dirty, height, PAD, width } from './state';

/**
 * Warps chroma, at half size: 8 pixels span two grid cells. Linear interpolation suffices for
 * chroma.
 */
export function colour(
  u: usize,
  v: usize,
  halfA: usize,
  background: usize,
  out: usize,
  drawn: usize,
  firstColumn: i32,
  firstRow: i32,
  endColumn: i32,
  endRow: i32,
): void {
  const vOut = out + <usize>((width * height) >> 2);
  const vBackground = background + (vOut - out);
  const cells = width / CELL;
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const stride = halfWidth + PAD;
  const nodeRow: usize = <usize>(cells + 1) << 3;
  const half = i16x8.splat(128 * 64 + 32);
  const zero = i16x8.splat(128);
  for (let cj: i32 = firstRow; cj < endRow; cj++) {
    for (let ci: i32 = firstColumn; ci < endColumn; ci++) {
      const cell = <usize>(2 * cj * cells + 2 * ci);
      const drawnCells = load<u16>(dirty + cell) | load<u16>(dirty + cell + <usize>cells);
      if (drawnCells == 0) continue;
      const kinds = kindsOf(drawn, cell) | (kindsOf(drawn, cell + <usize>cells) << 16);
      if (kinds == 0) {
        show(background, out, halfWidth, ci * 8, cj * 8);
        show(vBackground, vOut, halfWidth, ci * 8, cj * 8);
        continue;
      }
      const isSolid = kinds == 0x01010101;
      let row = zero;
      let rowEnd = zero;
      let down4 = zero;
      let down4End = zero;
      for (let r: i32 = 0; r < 8; r++) {
        if ((r & 3) == 0) {
          const at = backward + (<usize>((2 * cj + (r >> 2)) * (cells + 1) + 2 * ci) << 3);
          // Half the displacement, for half the size.
          const upper = i32x4.shr_s(fixed(at), 1);
          const lower = i32x4.shr_s(fixed(at + nodeRow), 1);
          const upperEnd = i32x4.shr_s(fixed(at + 16), 1);
          const lowerEnd = i32x4.shr_s(fixed(at + nodeRow + 16), 1);
          const slope = i32x4.shr_s(i32x4.sub(lower, upper), 2);
          const slopeEnd = i32x4.shr_s(i32x4.sub(lowerEnd, upperEnd), 2);
          row = i32x4.add(upper, i32x4.shr_s(slope, 1));
          rowEnd = i32x4.add(upperEnd, i32x4.shr_s(slopeEnd, 1));
          down4 = slope;
          down4End = slopeEnd;
        }
        const leftX = i32x4.extract_lane(row, 0);
        const leftY = i32x4.extract_lane(row, 1);
        const middleX = i32x4.extract_lane(row, 2);
        const middleY = i32x4.extract_lane(row, 3);
        const rightX = i32x4.extract_lane(rowEnd, 0);
        const rightY = i32x4.extract_lane(rowEnd, 1);
        row = i32x4.add(row, down4);
        rowEnd = i32x4.add(rowEnd, down4End);

        // Four pixels in the left cell, four in the right one; 11 bits of fraction.
        const stepX = (middleX - leftX) >> 7;
        const stepY = (middleY - leftY) >> 7;
        const stepEndX = (rightX - middleX) >> 7;
        const stepEndY = (rightY - middleY) >> 7;
        const px = ((ci * 8) << 11) + (leftX >> 5) + (stepX >> 1);
        const py = ((cj * 8 + r) << 11) + (leftY >> 5) + (stepY >> 1);
        const x0 = px >> 11;
        const y0 = py >> 11;
        const inX = px & 2047;
        const inY = py & 2047;
        const inEndX = ((ci * 8 + 4 - x0) << 11) + (middleX >> 5) + (stepEndX >> 1);
        const inEndY = ((cj * 8 + r - y0) << 11) + (middleY >> 5) + (stepEndY >> 1);
        const placeX = places(inX, 2048 + stepX, inEndX, 2048 + stepEndX);
        const placeY = places(inY, stepY, inEndY, stepEndY);
        const rowB = (inY + 3 * stepY) >> 11;
        const rowC = inEndY >> 11;
        const rowD = (inEndY + 3 * stepEndY) >> 11;
        const top = min(min(0, rowB), min(rowC, rowD));
        const bottom = max(max(0, rowB), max(rowC, rowD));
        const low = i16x8.splat(2047);
        const h1 = i16x8.shr_s(v128.and(placeX, low), 5);
        const h = v128.or(i16x8.sub(i16x8.splat(64), h1), i16x8.shl(h1, 8));
        const w1 = i16x8.shl(v128.and(placeY, low), 4);
        const w0 = i16x8.sub(i16x8.splat(32767), w1);
        const column8 = i16x8.shr_s(placeX, 11);
        const pairs = i16x8.add(i16x8.mul(column8, i16x8.splat(0x0101)), i16x8.splat(0x0100));
        const rows = i16x8.shr_s(placeY, 11);
        const column = clamp(x0, -PAD / 2, halfWidth + PAD / 2 - 16);

        let from = <usize>(clamp(y0 + top, -PAD / 2, halfHeight + PAD / 2 - 2) * stride + column);
        let blue = linear(u + from, stride, pairs, h, w0, w1);
        let red = linear(v + from, stride, pairs, h, w0, w1);
        let cover = isSolid ? half : linear(halfA + from, stride, pairs, h, w0, w1);
        for (let placeRow = top + 1; placeRow <= bottom; placeRow++) {
          from = <usize>(clamp(y0 + placeRow, -PAD / 2, halfHeight + PAD / 2 - 2) * stride + column);
          const chosen = i16x8.eq(rows, i16x8.splat(<i16>placeRow));
          blue = v128.bitselect(linear(u + from, stride, pairs, h, w0, w1), blue, chosen);
          red = v128.bitselect(linear(v + from, stride, pairs, h, w0, w1), red, chosen);
          if (!isSolid)
            cover = v128.bitselect(linear(halfA + from, stride, pairs, h, w0, w1), cover, chosen);
        }
        blue = i16x8.shr_s(i16x8.add(blue, half), 6);
        red = i16x8.shr_s(i16x8.add(red, half), 6);
        const to = <usize>((cj * 8 + r) * halfWidth + ci * 8);
        if (!isSolid) {
          const clear = i16x8.sub(i16x8.splat(255), bounded(i16x8.shr_s(i16x8.add(cover, half), 6)));
          blue = i16x8.add(blue, share(clear, i16x8.sub(v128.load8x8_u(background + to), zero)));
          red = i16x8.add(red, share(clear, i16x8.sub(v128.load8x8_u(vBackground + to), zero)));
        }
        store<u64>(out + to, i64x2.extract_lane(i8x16.narrow_i16x8_u(blue, blue), 0));
        store<u64>(vOut + to, i64x2.extract_lane(i8x16.narrow_i16x8_u(red, red), 0));
      }
    }
  }
}

/** The kinds of two cells. */
// @ts-ignore: decorator
@inline
function kindsOf(drawn: usize, cell: usize): i32 {
  const at = drawn + cell * DRAWN_BYTES;
  return <i32>load<u8>(at + 8) | (<i32>load<u8>(at + DRAWN_BYTES + 8) << 8);
}

/** clear * value / 255. With 129 instead of 128.5, a fully clear pixel keeps its exact value. */
// @ts-ignore: decorator
@inline
function share(clear: v128, value: v128): v128 {
  return i16x8.relaxed_q15mulr_s(i16x8.mul(clear, value), i16x8.splat(129));
}

/** Source coordinates of two runs of four pixels. */
// @ts-ignore: decorator
@inline
function places(leftStart: i32, leftStep: i32, rightStart: i32, rightStep: i32): v128 {
  const four = i16x8(0, 1, 2, 3, 0, 1, 2, 3);
  const leftRun = i16x8.add(i16x8.splat(<i16>leftStart), i16x8.mul(four, i16x8.splat(<i16>leftStep)));
  const rightRun = i16x8.add(i16x8.splat(<i16>rightStart), i16x8.mul(four, i16x8.splat(<i16>rightStep)));
  return v128.shuffle<i64>(leftRun, rightRun, 0, 3);
}

// @ts-ignore: decorator
@inline
function linear(from: usize, stride: i32, pairs: v128, h: v128, w0: v128, w1: v128): v128 {
  const upper = i8x16.relaxed_swizzle(v128.load(from), pairs);
  const lower = i8x16.relaxed_swizzle(v128.load(from + <usize>stride), pairs);
  return i16x8.add(
    i16x8.relaxed_q15mulr_s(i16x8.relaxed_dot_i8x16_i7x16_s(upper, h), w0),
    i16x8.relaxed_q15mulr_s(i16x8.relaxed_dot_i8x16_i7x16_s(lower, h), w1),
  );
}
