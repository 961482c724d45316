import { clamp } from './lanes';

/*
 * Scales a plane by weighted sums: first its rows, then its columns. A tap table holds, for each
 * pixel of the result, the index of its first source pixel (i32), then `taps` weights (f32) for
 * each. `taps` is a multiple of 4. Rows of the scratch buffer have 16 spare bytes.
 */

/**
 * Scales a plane of bytes: the columns from `start` to `end` of the result; the others are 0.
 * `offset` stands for 0 in both planes.
 */
export function resampleBytes(
  to: usize,
  columns: i32,
  start: i32,
  end: i32,
  rows: i32,
  from: usize,
  fromStride: i32,
  firstColumn: i32,
  lastColumn: i32,
  columnTaps: usize,
  columnTapCount: i32,
  rowTaps: usize,
  rowTapCount: i32,
  scratch: usize,
  offset: f32,
): void {
  const weights = rowTaps + (<usize>rows << 2);
  for (let row: i32 = 0; row < rows; row++) {
    const first = from + <usize>(load<i32>(rowTaps + (<usize>row << 2)) * fromStride);
    const rowWeights = weights + (<usize>(row * rowTapCount) << 2);
    for (let column: i32 = firstColumn; column < lastColumn; column += 4) {
      let sum = f32x4.splat(0);
      let source = first + column;
      for (let tap: i32 = 0; tap < rowTapCount; tap++) {
        const weight = load<f32>(rowWeights + (<usize>tap << 2));
        if (weight != 0) {
          const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(source)));
          const value = f32x4.sub(f32x4.convert_i32x4_s(bytes), f32x4.splat(offset));
          sum = f32x4.add(sum, f32x4.mul(value, f32x4.splat(weight)));
        }
        source += fromStride;
      }
      v128.store(scratch + (<usize>column << 2), sum);
    }
    memory.fill(to, <u8>offset, columns);
    for (let column: i32 = start; column < end; column++) {
      const value = across(scratch, columnTaps, columns, column, columnTapCount) + offset;
      store<u8>(to + column, <u8>clamp(<i32>nearest(value), 0, 255));
    }
    to += columns;
  }
}

/** Scales a plane of 16-bit differences. */
export function resampleDifference(
  to: usize,
  columns: i32,
  rows: i32,
  from: usize,
  fromStride: i32,
  columnTaps: usize,
  columnTapCount: i32,
  rowTaps: usize,
  rowTapCount: i32,
  scratch: usize,
): void {
  const weights = rowTaps + (<usize>rows << 2);
  for (let row: i32 = 0; row < rows; row++) {
    const first = from + (<usize>(load<i32>(rowTaps + (<usize>row << 2)) * fromStride) << 1);
    const rowWeights = weights + (<usize>(row * rowTapCount) << 2);
    for (let column: i32 = 0; column < fromStride; column += 4) {
      let sum = f32x4.splat(0);
      let source = first + (<usize>column << 1);
      for (let tap: i32 = 0; tap < rowTapCount; tap++) {
        const weight = load<f32>(rowWeights + (<usize>tap << 2));
        if (weight != 0) {
          const value = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v128.load64_zero(source)));
          sum = f32x4.add(sum, f32x4.mul(value, f32x4.splat(weight)));
        }
        source += <usize>fromStride << 1;
      }
      v128.store(scratch + (<usize>column << 2), sum);
    }
    for (let column: i32 = 0; column < columns; column++) {
      store<i16>(to, <i16>nearest(across(scratch, columnTaps, columns, column, columnTapCount)));
      to += 2;
    }
  }
}

// @ts-ignore: decorator
@inline
function across(scratch: usize, taps: usize, columns: i32, column: i32, tapCount: i32): f32 {
  let at = scratch + (<usize>load<i32>(taps + (<usize>column << 2)) << 2);
  let weight = taps + (<usize>(columns + column * tapCount) << 2);
  let sum = f32x4.splat(0);
  for (let tap: i32 = 0; tap < tapCount; tap += 4) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(at), v128.load(weight)));
    at += 16;
    weight += 16;
  }
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    f32x4.extract_lane(sum, 2) +
    f32x4.extract_lane(sum, 3)
  );
}
