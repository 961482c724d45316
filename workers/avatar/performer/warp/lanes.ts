/** The displacements of two nodes with 16 fractional bits. */
// @ts-ignore: decorator
@inline
export function fixed(at: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(v128.load(at), f32x4.splat(65536)));
}

// @ts-ignore: decorator
@inline
export function clamp(value: i32, least: i32, most: i32): i32 {
  return value < least ? least : value > most ? most : value;
}

// @ts-ignore: decorator
@inline
export function bounded(value: v128): v128 {
  return i16x8.max_s(i16x8.splat(0), i16x8.min_s(i16x8.splat(255), value));
}

/** Copies a square of 8 x 8 pixels. */
// @ts-ignore: decorator
@inline
export function show(from: usize, to: usize, stride: i32, x: i32, y: i32): void {
  const at = <usize>(y * stride + x);
  for (let row: usize = 0; row < 8; row++) {
    store<u64>(to + at + row * stride, load<u64>(from + at + row * stride));
  }
}

/** Fills a square of 8 x 8 pixels. */
// @ts-ignore: decorator
@inline
export function fill(to: usize, stride: i32, x: i32, y: i32, value: u8): void {
  const at = to + <usize>(y * stride + x);
  const eight = <u64>value * 0x0101010101010101;
  for (let row: usize = 0; row < 8; row++) store<u64>(at + row * stride, eight);
}
