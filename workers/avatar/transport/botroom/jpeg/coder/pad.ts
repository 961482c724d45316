/** Copies a plane to one of whole blocks, repeating its last column and row. */
export function pad(
  from: usize,
  width: i32,
  height: i32,
  to: usize,
  paddedWidth: i32,
  paddedHeight: i32,
): void {
  for (let row: i32 = 0; row < paddedHeight; row++) {
    memory.copy(to, from, width);
    memory.fill(to + width, load<u8>(from + width - 1), paddedWidth - width);
    to += paddedWidth;
    if (row < height - 1) from += width;
  }
}
