/* Crops and scales a finished plane between its pixels, for a moving camera. */

/** Black, and the range from there to white, of a plane of opacity. */
const BLACK: i32 = 16;
const RANGE: i32 = 219;

/**
 * `x`, `y` (of the first pixel's centre) and `step` have 16 fractional bits. With `opacity` (0:
 * none), `behind` shows through where it is not white; its value `zero` stands for nothing. The
 * plane of opacity is finer than the others by `opacityShift` bits.
 */
export function zoom(
  to: usize,
  toStride: i32,
  columns: i32,
  rows: i32,
  from: usize,
  fromStride: i32,
  fromColumns: i32,
  fromRows: i32,
  x: i32,
  y: i32,
  step: i32,
  opacity: usize,
  opacityStride: i32,
  opacityShift: i32,
  behind: usize,
  behindStride: i32,
  zero: i32,
): void {
  const lastX = (fromColumns - 1) << 16;
  const lastY = (fromRows - 1) << 16;
  for (let row: i32 = 0; row < rows; row++) {
    const atY = bound(y + row * step, lastY);
    const upper = from + <usize>((atY >> 16) * fromStride);
    const lower = atY < lastY ? upper + fromStride : upper;
    const down = (atY >> 8) & 255;
    for (let column: i32 = 0; column < columns; column++) {
      const atX = bound(x + column * step, lastX);
      const left = atX >> 16;
      const next = left + (atX < lastX ? 1 : 0);
      const right = (atX >> 8) & 255;
      const top = (<i32>load<u8>(upper + left) << 8) + right * (<i32>load<u8>(upper + next) - <i32>load<u8>(upper + left));
      const bottom =
        (<i32>load<u8>(lower + left) << 8) + right * (<i32>load<u8>(lower + next) - <i32>load<u8>(lower + left));
      let value = ((top << 8) + down * (bottom - top) + 32768) >> 16;
      if (opacity) {
        const cover = <i32>load<u8>(
          opacity + <usize>(((atY >> 16) << opacityShift) * opacityStride + (left << opacityShift)),
        );
        const clear = BLACK + RANGE - cover;
        if (clear > 0) {
          const shown = <i32>load<u8>(behind + <usize>(row * behindStride + column)) - zero;
          value += (clear * shown) / RANGE;
        }
      }
      store<u8>(to + <usize>(row * toStride + column), <u8>min(255, max(0, value)));
    }
  }
}

// @ts-ignore: decorator
@inline
function bound(at: i32, last: i32): i32 {
  return at < 0 ? 0 : at > last ? last : at;
}
