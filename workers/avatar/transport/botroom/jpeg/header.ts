import { HUFFMAN, type HuffmanTable } from './huffman.ts';

type Picture = {
  width: number;
  height: number;
  /** Macroblocks in a row, each of which is a restart interval. */
  columns: number;
  quantisers: { luma: number[]; chroma: number[] };
};

/** Everything before the first coded byte: JFIF, baseline, Y'CbCr 4:2:0. */
export function header({ width, height, columns, quantisers }: Picture): Uint8Array {
  const segments = [
    // JFIF 1.1, square pixels, no thumbnail.
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...quantisers.luma, 1, ...quantisers.chroma]),
    segment(0xc0, [8, ...u16(height), ...u16(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
    segment(0xc4, [
      ...codes(0x00, HUFFMAN.luma.dc),
      ...codes(0x10, HUFFMAN.luma.ac),
      ...codes(0x01, HUFFMAN.chroma.dc),
      ...codes(0x11, HUFFMAN.chroma.ac),
    ]),
    segment(0xdd, u16(columns)),
    segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ];
  return Uint8Array.from([0xff, 0xd8, ...segments.flat()]);
}

const segment = (marker: number, content: number[]) => [
  0xff,
  marker,
  ...u16(content.length + 2),
  ...content,
];

const codes = (id: number, { counts, symbols }: HuffmanTable) => [id, ...counts, ...symbols];

const u16 = (value: number) => [value >> 8, value & 0xff];
