import { inflateSync } from 'node:zlib';

/**
 * Decoded pixels of `channels` samples, rows from the top. Keeps 16-bit samples and colours under
 * low alpha, which a canvas would lose: it has 8 bits and premultiplies.
 */
export type Pixels = {
  width: number;
  height: number;
  channels: number;
  samples: Uint8Array | Uint16Array;
};

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const CHANNELS_OF_COLOUR_TYPE: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 };
const MAX_SIDE = 8192;

/**
 * Reads the PNG files that the studio writes: grey, grey with alpha, RGB and RGBA, 8 or 16 bits,
 * not interlaced.
 */
export function readPng(file: Buffer): Pixels {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG file');
  const chunks = [...chunksOf(file)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header?.length !== 13) throw new Error('PNG file without a header');

  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colourType, interlace] = [header[8], header[9] ?? -1, header[12]];
  const channels = CHANNELS_OF_COLOUR_TYPE[colourType];
  if (!channels || (depth !== 8 && depth !== 16) || interlace !== 0) {
    throw new Error(`unsupported PNG file: colour type ${colourType}, ${depth} bits`);
  }
  if (!width || !height || width > MAX_SIDE || height > MAX_SIDE) {
    throw new Error(`unsupported PNG file: ${width}x${height}`);
  }

  const pixelBytes = (channels * depth) / 8;
  const rowBytes = width * pixelBytes;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((c) => c.data));
  const filtered = inflateSync(packed, { maxOutputLength: (rowBytes + 1) * height });
  if (filtered.length !== (rowBytes + 1) * height) throw new Error('truncated PNG file');
  const bytes = unfilter(filtered, height, rowBytes, pixelBytes);
  return { width, height, channels, samples: depth === 8 ? bytes : wide(bytes) };
}

function* chunksOf(file: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    yield {
      type: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    };
    at += 12 + length;
  }
}

function unfilter(filtered: Buffer, height: number, rowBytes: number, pixelBytes: number) {
  const bytes = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (rowBytes + 1)] ?? 0;
    const from = row * (rowBytes + 1) + 1;
    const to = row * rowBytes;
    for (let i = 0; i < rowBytes; i++) {
      const left = i < pixelBytes ? 0 : (bytes[to + i - pixelBytes] ?? 0);
      const above = row === 0 ? 0 : (bytes[to + i - rowBytes] ?? 0);
      const upperLeft =
        row === 0 || i < pixelBytes ? 0 : (bytes[to + i - rowBytes - pixelBytes] ?? 0);
      bytes[to + i] = (filtered[from + i] ?? 0) + predicted(filter, left, above, upperLeft);
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, upperLeft: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, upperLeft);
    default:
      throw new Error(`PNG file with the unknown filter ${filter}`);
  }
}

function paeth(left: number, above: number, upperLeft: number): number {
  const guess = left + above - upperLeft;
  const [toLeft, toAbove, toUpperLeft] = [
    Math.abs(guess - left),
    Math.abs(guess - above),
    Math.abs(guess - upperLeft),
  ];
  if (toLeft <= toAbove && toLeft <= toUpperLeft) return left;
  return toAbove <= toUpperLeft ? above : upperLeft;
}

function wide(bytes: Uint8Array): Uint16Array {
  const samples = new Uint16Array(bytes.length / 2);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0);
  }
  return samples;
}
