/*
 * Baseline JPEG (ITU-T T.81) of I420 pictures, in AssemblyScript. `npm run build:jpeg` compiles it
 * to jpeg.wasm. ../jpeg-encoder.ts calls it and lays out the memory.
 *
 * Most of a picture equals the last one. A block that did not change keeps its code, and a row of
 * macroblocks without a change keeps its bytes, because each row is a restart interval. What a row
 * takes from its left neighbour, the difference of the blocks' means, is coded as the row is
 * written.
 */
import { changed } from './changed';
import { code } from './code';
import { BLOCK_BYTES, BLOCKS, COMPONENT_BYTES, COMPONENTS, MACROBLOCK } from './layout';
import { writeRow } from './row';
import { blocks, columns, rows, tables } from './state';
import { transform } from './transform';

export { pad } from './pad';
export { setUp } from './state';

/**
 * Codes a picture of whole macroblocks. `starts` receives the address of each row's bytes; the
 * first one is given. `previousPicture` was coded before, and `previousStarts` are its rows; on the
 * first picture, both are 0. Returns the address after the last byte, or 0 if the picture equals
 * the previous one.
 */
export function encode(
  picture: usize,
  previousPicture: usize,
  starts: usize,
  previousStarts: usize,
): usize {
  let to = <usize>load<u32>(starts);
  let isSame = previousPicture != 0;
  for (let row: i32 = 0; row < rows; row++) {
    if (codeRow(row, picture, previousPicture)) {
      isSame = false;
      to = writeRow(row, to);
    } else {
      const from = <usize>load<u32>(previousStarts);
      const length = <usize>load<u32>(previousStarts, 4) - from;
      memory.copy(to, from, length);
      to += length;
    }
    starts += 4;
    previousStarts += 4;
    store<u32>(starts, <u32>to);
  }
  return isSame ? 0 : to;
}

/** Codes the changed blocks of one row of macroblocks. Returns whether there are any. */
function codeRow(row: i32, picture: usize, previousPicture: usize): bool {
  const stride = <usize>(columns * MACROBLOCK);
  const halfStride = stride >> 1;
  const chromaBytes = <usize>rows * 8 * halfStride;
  const luma = tables + COMPONENTS;
  const chroma = luma + COMPONENT_BYTES;
  let rowChanges: i32 = 0;
  let block = blocks + <usize>(row * columns * BLOCKS * BLOCK_BYTES);
  let y = picture + <usize>row * MACROBLOCK * stride;
  let u = picture + 4 * chromaBytes + <usize>row * 8 * halfStride;
  const away = previousPicture - picture;
  for (let column: i32 = 0; column < columns; column++) {
    const changes = previousPicture == 0 ? 63 : changed(y, u, stride, chromaBytes, away);
    rowChanges |= changes;
    if (changes & 1) codeBlock(y, stride, luma, block);
    if (changes & 2) codeBlock(y + 8, stride, luma, block + BLOCK_BYTES);
    if (changes & 4) codeBlock(y + 8 * stride, stride, luma, block + 2 * BLOCK_BYTES);
    if (changes & 8) codeBlock(y + 8 * stride + 8, stride, luma, block + 3 * BLOCK_BYTES);
    if (changes & 16) codeBlock(u, halfStride, chroma, block + 4 * BLOCK_BYTES);
    if (changes & 32) codeBlock(u + chromaBytes, halfStride, chroma, block + 5 * BLOCK_BYTES);
    block += BLOCKS * BLOCK_BYTES;
    y += MACROBLOCK;
    u += 8;
  }
  return rowChanges != 0;
}

function codeBlock(from: usize, stride: usize, component: usize, block: usize): void {
  transform(from, stride, component);
  code(block, component);
}
