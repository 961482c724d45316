import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

/** Bounds the memory for what is filled up. */
const MOST_BYTES = 64 * 1024 ** 2;
const SIGNATURE = 8;
/** Length, type and checksum. */
const FRAME = 12;
const HEADER_END = SIGNATURE + FRAME + 13;

/** Steps of interlacing by Adam7: the first pixel, and the distance to the next. */
const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

const SAMPLES: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * An interlaced PNG that ends early, with all its rows: its decoder reads no incomplete one. Other
 * files stay as they are.
 */
export function filledUpPng(bytes: Uint8Array, value: number): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < HEADER_END || file[HEADER_END - 5] !== 1 || file.includes('IEND')) return bytes;
  const length = rowBytes(file.subarray(SIGNATURE + 8));
  if (!(length <= MOST_BYTES)) return bytes;
  const { head, data } = partsOf(file);
  const rows = Buffer.alloc(length, value);
  inflated(data, length).copy(rows);
  const pixels = chunk('IDAT', deflateSync(rows, { level: 1 }));
  return Buffer.concat([head, pixels, chunk('IEND', Buffer.alloc(0))]);
}

/** Length of all rows with the byte that begins each. NaN for an unknown kind. */
function rowBytes(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = header[8]! * (SAMPLES[header[9]!] ?? NaN);
  return PASSES.reduce((sum, { x, y, dx, dy }) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)];
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * bits) / 8)) : sum;
  }, 0);
}

/** The bytes before the pixels, and the pixels that are there. */
function partsOf(file: Buffer): { head: Buffer; data: Buffer } {
  const data: Buffer[] = [];
  let headEnd = SIGNATURE;
  for (let at = SIGNATURE; at + 8 <= file.length;) {
    const end = at + FRAME + file.readUInt32BE(at);
    const isPixels = file.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isPixels) data.push(file.subarray(at + 8, end - 4));
    else if (data.length === 0 && end <= file.length) headEnd = end;
    at = end;
  }
  return { head: file.subarray(0, headEnd), data: Buffer.concat(data) };
}

function inflated(data: Buffer, most: number): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most };
  try {
    return inflateSync(data, options);
  } catch {
    return Buffer.alloc(0);
  }
}

function chunk(type: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(FRAME + content.length);
  framed.writeUInt32BE(content.length, 0);
  framed.write(type, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + content.length)), 8 + content.length);
  return framed;
}
