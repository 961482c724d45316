/** One row of macroblocks, from its blocks' codes. */
import { BITS, BLOCK_BYTES, BLOCKS, COMPONENT_BYTES, COMPONENTS, DC_CODES, WORDS } from './layout';
import { blocks, columns, rows, tables } from './state';

/**
 * Writes the row and its end marker; returns the address after it. No row depends on the one
 * before, so an unchanged row keeps its bytes.
 */
export function writeRow(row: i32, to: usize): usize {
  const luma = tables + COMPONENTS + DC_CODES;
  const chroma = luma + COMPONENT_BYTES;
  let block = blocks + <usize>(row * columns * BLOCKS * BLOCK_BYTES);
  let bits: u64 = 0;
  // Number of bits in `bits`, from the highest.
  let bitCount: i32 = 0;
  let y: i32 = 0;
  let u: i32 = 0;
  let v: i32 = 0;
  for (let column: i32 = 0; column < columns; column++) {
    for (let k: i32 = 0; k < BLOCKS; k++) {
      const mean = load<i32>(block);
      let difference: i32;
      let codes = chroma;
      if (k < 4) {
        difference = mean - y;
        y = mean;
        codes = luma;
      } else if (k == 4) {
        difference = mean - u;
        u = mean;
      } else {
        difference = mean - v;
        v = mean;
      }
      const sign = difference >> 31;
      const size = 32 - clz((difference ^ sign) - sign);
      const entry = load<u32>(codes + (<usize>size << 2));
      let word = <u64>((entry >> 5) | ((difference + sign) & ((1 << size) - 1)));
      let length = <i32>(entry & 31);
      word <<= 64 - length;

      let remainingBits = load<i32>(block, BITS);
      let from = block + WORDS;
      for (;;) {
        bits |= word >> bitCount;
        const sum = bitCount + length;
        if (sum >= 64) {
          to = write(to, bits);
          bits = (word << 1) << (63 - bitCount);
        }
        bitCount = sum & 63;
        if (remainingBits <= 0) break;
        word = rotl(load<u64>(from), 32);
        length = min(remainingBits, 64);
        remainingBits -= 64;
        from += 8;
      }
      block += BLOCK_BYTES;
    }
  }
  return finish(row, to, bits, bitCount);
}

/** Fills the last byte with ones, as the format demands, and adds the marker. */
function finish(row: i32, to: usize, bits: u64, bitCount: i32): usize {
  const wholeBits = (bitCount + 7) & ~7;
  if (wholeBits > bitCount) bits |= <u64>((1 << (wholeBits - bitCount)) - 1) << (64 - wholeBits);
  for (let i: i32 = 0; i < wholeBits; i += 8) to = writeByte(to, <u32>(bits >> (56 - i)) & 255);
  const isLast = row == rows - 1;
  store<u8>(to, 0xff);
  store<u8>(to, isLast ? 0xd9 : 0xd0 | (row & 7), 1);
  return to + 2;
}

/** In the code, a byte of ones is followed by a zero. */
// @ts-ignore: decorator
@inline
function write(to: usize, bits: u64): usize {
  if (bits & ~(bits + 0x0101010101010101) & 0x8080808080808080) {
    for (let shift: i32 = 56; shift >= 0; shift -= 8) to = writeByte(to, <u32>(bits >> shift) & 255);
    return to;
  }
  const word = i64x2.splat(bits);
  const swapped = v128.shuffle<u8>(word, word, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0);
  v128.store_lane<u64>(to, swapped, 0);
  return to + 8;
}

function writeByte(to: usize, byte: u32): usize {
  store<u16>(to, <u16>byte);
  return to + (byte == 255 ? 2 : 1);
}
