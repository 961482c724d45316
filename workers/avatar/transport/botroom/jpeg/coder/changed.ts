/**
 * Which blocks of a macroblock differ from the last picture, which is `away`. One bit per block:
 * four of luma by rows, then U and V.
 */
export function changed(
  y: usize,
  u: usize,
  stride: usize,
  chromaBytes: usize,
  away: usize,
): i32 {
  const upper = lumaRows(y, stride, away);
  const lower = lumaRows(y + 8 * stride, stride, away);
  return (
    upper |
    (lower << 2) |
    (chromaRows(u, stride >> 1, away) << 4) |
    (chromaRows(u + chromaBytes, stride >> 1, away) << 5)
  );
}

// @ts-ignore: decorator
@inline
function lumaRows(at: usize, stride: usize, away: usize): i32 {
  let difference = v128.xor(v128.load(at), v128.load(at + away));
  for (let row: i32 = 1; row < 8; row++) {
    at += stride;
    difference = v128.or(difference, v128.xor(v128.load(at), v128.load(at + away)));
  }
  return (
    i32(i64x2.extract_lane(difference, 0) != 0) | (i32(i64x2.extract_lane(difference, 1) != 0) << 1)
  );
}

// @ts-ignore: decorator
@inline
function chromaRows(at: usize, stride: usize, away: usize): i32 {
  let difference = load<u64>(at) ^ load<u64>(at + away);
  for (let row: i32 = 1; row < 8; row++) {
    at += stride;
    difference |= load<u64>(at) ^ load<u64>(at + away);
  }
  return i32(difference != 0);
}
