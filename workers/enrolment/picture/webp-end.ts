/** Bounds what a false length in the header makes of a file. */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * A WebP that ends early, at its full length: its decoder reads no incomplete file. The same file
 * if it is whole.
 */
export function filledUp(bytes: Uint8Array, value = 0): Uint8Array {
  const length = 8 + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32LE(4);
  if (length <= bytes.length || length > MOST_BYTES) return bytes;
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length, value)]);
}
