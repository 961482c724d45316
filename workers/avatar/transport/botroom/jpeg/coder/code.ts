/** The entropy code of one block, which does not depend on any other block. */
import { AC_CODES, BITS, PLACES, SHUFFLES, WORDS } from './layout';
import { scratch, tables } from './state';

const END_OF_BLOCK: usize = 0x00;
const SIXTEEN_ZEROS: usize = 0xf0;

/** Codes the coefficients in `scratch` to `block`. */
export function code(block: usize, component: usize): void {
  const codes = component + AC_CODES;
  store<i32>(block, load<i16>(scratch));
  let to = block + WORDS;
  // The lowest `bitCount` bits are not yet written.
  let bits: u64 = 0;
  let bitCount: i32 = 0;
  let nonZeros = nonZero() & ~1;
  let lastIndex: i32 = 0;
  while (lastIndex < 63) {
    const run = <i32>ctz(nonZeros) - lastIndex - 1;
    let entry: u32;
    let value: i32 = 0;
    if (nonZeros == 0) {
      entry = load<u32>(codes + (END_OF_BLOCK << 2));
      lastIndex = 63;
    } else if (run > 15) {
      entry = load<u32>(codes + (SIXTEEN_ZEROS << 2));
      lastIndex += 16;
    } else {
      lastIndex += run + 1;
      nonZeros &= nonZeros - 1;
      const level: i32 = load<i16>(scratch + load<u8>(tables + <usize>lastIndex, PLACES));
      const sign = level >> 31;
      const size = 32 - clz((level ^ sign) - sign);
      entry = load<u32>(codes + (<usize>((run << 4) | size) << 2));
      value = (level + sign) & ((1 << size) - 1);
    }
    const length = <i32>(entry & 31);
    bits = (bits << length) | (entry >> 5) | value;
    bitCount += length;
    if (bitCount >= 32) {
      bitCount -= 32;
      store<u32>(to, <u32>(bits >> bitCount));
      to += 4;
    }
  }
  store<i32>(block, <i32>((to - block - WORDS) << 3) + bitCount, BITS);
  // Zeros follow the last bit: words are joined by "or".
  store<u64>(to, <u32>(bits << (32 - bitCount)));
}

/** A bit for each coefficient that is not zero, in zigzag order. */
// @ts-ignore: decorator
@inline
function nonZero(): u64 {
  const a = i8x16.narrow_i16x8_s(v128.load(scratch), v128.load(scratch, 16));
  const b = i8x16.narrow_i16x8_s(v128.load(scratch, 32), v128.load(scratch, 48));
  const c = i8x16.narrow_i16x8_s(v128.load(scratch, 64), v128.load(scratch, 80));
  const d = i8x16.narrow_i16x8_s(v128.load(scratch, 96), v128.load(scratch, 112));
  return (
    ~(
      zeros(a, b, c, d, 0) |
      (zeros(a, b, c, d, 64) << 16) |
      (zeros(a, b, c, d, 128) << 32) |
      (zeros(a, b, c, d, 192) << 48)
    )
  );
}

// @ts-ignore: decorator
@inline
function zeros(a: v128, b: v128, c: v128, d: v128, shuffles: usize): u64 {
  const at = tables + SHUFFLES + shuffles;
  const ordered = v128.or(
    v128.or(i8x16.relaxed_swizzle(a, v128.load(at)), i8x16.relaxed_swizzle(b, v128.load(at, 16))),
    v128.or(
      i8x16.relaxed_swizzle(c, v128.load(at, 32)),
      i8x16.relaxed_swizzle(d, v128.load(at, 48)),
    ),
  );
  return <u64>(<u32>i8x16.bitmask(i8x16.eq(ordered, i8x16.splat(0))));
}
