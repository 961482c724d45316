/*
 * Reads a picture's size without decoding, because a decoder trusts the header and allocates memory
 * for it. Returns null for truncated files.
 */
type PictureHeader = { width: number; height: number };

const READERS = { jpeg: readJpeg, png: readPng, webp: readWebp };

export function readPictureHeader(
  kind: keyof typeof READERS,
  bytes: Uint8Array,
): PictureHeader | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    return READERS[kind](file);
  } catch (error) {
    // Truncated file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const textAt = (file: Buffer, at: number) => file.toString('latin1', at, at + 4);

/** Start of frame: 0xc0..0xcf except the table segments among them. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const END_OF_JPEG = 0xd9;
const START_OF_SCAN = 0xda;

function readJpeg(file: Buffer): PictureHeader | null {
  for (let at = 2; ;) {
    // Decoders skip odd bytes between segments.
    if (file.readUInt8(at) !== 0xff) {
      at++;
      continue;
    }
    const marker = file.readUInt8(at + 1);
    if (marker === 0) {
      at += 2;
      continue;
    }
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === START_OF_SCAN || marker === END_OF_JPEG) return null;
    if (isFrame(marker)) {
      return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
}

function readPng(file: Buffer): PictureHeader | null {
  if (textAt(file, 12) !== 'IHDR') return null;
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

const UPPER_BITS = 0x3fff;

function readWebp(file: Buffer): PictureHeader | null {
  switch (textAt(file, 12)) {
    case 'VP8X':
      return {
        width: file.readUIntLE(24, 3) + 1,
        height: file.readUIntLE(27, 3) + 1,
      };
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return {
        width: (bits & UPPER_BITS) + 1,
        height: ((bits >> 14) & UPPER_BITS) + 1,
      };
    }
    case 'VP8 ':
      return {
        width: file.readUInt16LE(26) & UPPER_BITS,
        height: file.readUInt16LE(28) & UPPER_BITS,
      };
    default:
      return null;
  }
}
