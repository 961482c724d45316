import {
  AC_CODES,
  COMPONENT_BYTES,
  COMPONENTS,
  DC_CODES,
  FACTORS,
  FIRST_FACTORS,
  LEVEL,
  PLACES,
  SECOND_FACTORS,
  SHUFFLES,
  TABLE_BYTES,
} from './coder/layout.ts';
import { codesOf, HUFFMAN, type HuffmanTable } from './huffman.ts';
import { ZIGZAG } from './quantisers.ts';

/*
 * JPEG's samples have the full range, the picture's 16..235 (chroma 16..240). The transform is
 * linear: a range is widened by the quantisers.
 */
const RANGES = {
  luma: { gain: 255 / 219, middle: 16 + (128 * 219) / 255 },
  chroma: { gain: 255 / 224, middle: 128 },
};
const ONE = 32_768;
/** Samples are doubled, and the transform's coefficients are 8 times too large. */
const SCALE = 16;
/** Scale of the transform by row and column: 1, then root 2 times cosines of n / 16 half turns. */
const BENDS = Array.from({ length: 8 }, (_, n) =>
  n === 0 ? 1 : Math.SQRT2 * Math.cos((n * Math.PI) / 16),
);
/** In `SHUFFLES`: no byte. */
const NONE = 0x80;

/** The coder's tables; see coder/layout.ts. */
export function coderTables(quantisers: { luma: number[]; chroma: number[] }): Uint8Array {
  const tables = new DataView(new ArrayBuffer(TABLE_BYTES));
  const factors = [Math.SQRT1_2, Math.cos(Math.PI / 8), Math.sin(Math.PI / 8)];
  for (const [i, factor] of factors.entries()) fill(tables, FACTORS + 16 * i, factor * ONE);
  for (const [i, { row, column }] of ZIGZAG.entries()) {
    const place = 8 * row + column;
    tables.setUint8(PLACES + i, 2 * place);
    const shuffle = SHUFFLES + 64 * Math.floor(i / 16) + (i % 16);
    for (let part = 0; part < 4; part++)
      tables.setUint8(shuffle + 16 * part, Math.floor(place / 16) === part ? place % 16 : NONE);
  }
  putComponent(tables, COMPONENTS, 'luma', quantisers.luma);
  putComponent(tables, COMPONENTS + COMPONENT_BYTES, 'chroma', quantisers.chroma);
  return new Uint8Array(tables.buffer);
}

function putComponent(
  tables: DataView,
  at: number,
  name: 'luma' | 'chroma',
  quantisers: number[],
): void {
  const { gain, middle } = RANGES[name];
  fill(tables, at + LEVEL, middle);
  for (const [i, { row, column }] of ZIGZAG.entries()) {
    const place = 2 * (8 * row + column);
    const share = gain / (SCALE * BENDS[row]! * BENDS[column]! * quantisers[i]!);
    // Two factors, so that the first one uses all its bits. The second one is a power of two.
    const halvings = Math.floor(-Math.log2(share));
    const firstFactor = Math.min(ONE - 1, Math.round(share * 2 ** halvings * ONE));
    tables.setInt16(at + FIRST_FACTORS + place, firstFactor, true);
    tables.setInt16(at + SECOND_FACTORS + place, ONE / 2 ** halvings, true);
  }
  const { dc, ac } = HUFFMAN[name];
  putCodes(tables, at + DC_CODES, dc);
  putCodes(tables, at + AC_CODES, ac);
}

function putCodes(tables: DataView, at: number, table: HuffmanTable): void {
  for (const { symbol, code, length } of codesOf(table)) {
    const size = symbol & 15;
    tables.setUint32(at + 4 * symbol, (code << (size + 5)) | (length + size), true);
  }
}

function fill(tables: DataView, at: number, value: number): void {
  for (let i = 0; i < 8; i++) tables.setInt16(at + 2 * i, Math.round(value), true);
}
