/** Copies a rectangle between two planes of the same stride. */
export function restore(to: usize, from: usize, stride: i32, columns: i32, rows: i32): void {
  for (let row: i32 = 0; row < rows; row++) {
    memory.copy(to, from, columns);
    to += stride;
    from += stride;
  }
}

/**
 * Adds `weight` / 256 of a 16-bit difference to a rectangle of a plane. `columns` is a multiple of
 * 8.
 */
export function add(to: usize, stride: i32, from: usize, columns: i32, rows: i32, weight: i32): void {
  const share = i16x8.splat(<i16>(weight << 4));
  for (let row: i32 = 0; row < rows; row++) {
    for (let column: i32 = 0; column < columns; column += 8) {
      let difference = v128.load(from);
      // (d << 3) * (weight << 4) >> 15 is d * weight >> 8, rounded.
      if (weight < 256) difference = i16x8.q15mulr_sat_s(i16x8.shl(difference, 3), share);
      const sum = i16x8.add(v128.load8x8_s(to + column), difference);
      store<u64>(to + column, i64x2.extract_lane(i8x16.narrow_i16x8_s(sum, sum), 0));
      from += 16;
    }
    to += stride;
  }
}
