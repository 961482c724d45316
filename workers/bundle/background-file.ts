import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, crc32 } from 'node:zlib';
import { BundleError } from './format.ts';

/*
 * A background picture in a file:
 *
 *   8 bytes   "TROUPEBG"
 *   u16       version, width, height; u32 CRC of the uncompressed bytes (all little-endian)
 *   picture   I420 (BT.601 limited range), compressed with brotli
 */
const MAGIC = 'TROUPEBG';
const VERSION = 1;
const HEADER_BYTES = 18;
const LEAST_SIDE = 16;
const MOST_SIDE = 1920;

/** Width and height are even. */
export type BackgroundPicture = { width: number; height: number; i420: Uint8Array };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export async function encodeBackground({
  width,
  height,
  i420,
}: BackgroundPicture): Promise<Buffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt16LE(VERSION, 8);
  header.writeUInt16LE(width, 10);
  header.writeUInt16LE(height, 12);
  header.writeUInt32LE(crc32(i420), 14);
  return Buffer.concat([header, await compress(i420)]);
}

/** Rejects with BundleError for a file that is hostile, truncated or of another version. */
export async function decodeBackground(file: Buffer): Promise<BackgroundPicture> {
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, 8) !== MAGIC)
    throw new BundleError('not a background');
  const version = file.readUInt16LE(8);
  if (version !== VERSION)
    throw new BundleError(`background of version ${version}; version ${VERSION} is required`);
  const [width, height] = [file.readUInt16LE(10), file.readUInt16LE(12)];
  for (const side of [width, height])
    if (side % 2 !== 0 || side < LEAST_SIDE || side > MOST_SIDE)
      throw new BundleError(`a background of ${width} x ${height}`);
  const maxOutputLength = 1.5 * width * height;
  const i420 = await decompress(file.subarray(HEADER_BYTES), { maxOutputLength }).catch(
    (cause: unknown) => {
      throw new BundleError('the background cannot be decompressed', { cause });
    },
  );
  if (i420.length !== maxOutputLength || crc32(i420) !== file.readUInt32LE(14))
    throw new BundleError('the background is damaged');
  return { width, height, i420 };
}
