import { CELL, PAD, width } from './state';

/** Subtracts 128 from all bytes of a plane. `length` is a multiple of 16. */
export function bias(at: usize, length: i32): void {
  const sign = i8x16.splat(-128);
  for (let i: i32 = 0; i < length; i += 16) {
    v128.store(at + i, v128.xor(v128.load(at + i), sign));
  }
}

/** Halves a signed plane: the mean of each 2 x 2. */
export function halvePlane(to: usize, from: usize, stride: i32, rows: i32): void {
  for (let row: i32 = 0; row < rows; row += 2) {
    for (let column: i32 = 0; column < stride; column += 2) {
      const upper = from + column;
      const lower = upper + stride;
      const sum: i32 = load<i8>(upper) + load<i8>(upper, 1) + load<i8>(lower) + load<i8>(lower, 1);
      store<i8>(to++, <i8>((sum + 2) >> 2));
    }
    from += 2 * stride;
  }
}

/** Halves a 16-bit difference: the mean of each 2 x 2. */
export function halveDifference(to: usize, from: usize, columns: i32, rows: i32): void {
  const line: usize = <usize>columns << 1;
  for (let row: i32 = 0; row < rows; row += 2) {
    for (let column: i32 = 0; column < columns; column += 2) {
      const upper = from + (<usize>column << 1);
      const lower = upper + line;
      const sum: i32 = load<i16>(upper) + load<i16>(upper, 2) + load<i16>(lower) + load<i16>(lower, 2);
      store<i16>(to, <i16>((sum + 2) >> 2));
      to += 2;
    }
    from += 2 * line;
  }
}

/**
 * Extends the range `least`..`most` of each cell (signed bytes) by the pixels of a rectangle.
 * `plane` is the address of its pixel (0, 0).
 */
export function widen(
  plane: usize,
  x: i32,
  y: i32,
  columns: i32,
  rows: i32,
  least: usize,
  most: usize,
): void {
  const stride = width + 2 * PAD;
  const across = width / CELL;
  for (let row: i32 = y; row < y + rows; row++) {
    for (let column: i32 = x; column < x + columns; column += CELL) {
      const at = <usize>((row / CELL) * across + column / CELL);
      let low: i32 = load<i8>(least + at);
      let high: i32 = load<i8>(most + at);
      const from = plane + <usize>(row * stride + column);
      for (let i: i32 = 0; i < CELL; i++) {
        const value: i32 = load<i8>(from + i);
        low = min(low, value);
        high = max(high, value);
      }
      store<i8>(least + at, <i8>low);
      store<i8>(most + at, <i8>high);
    }
  }
}
