/** Bounds what a false length in the header makes of a file. */
const MOST_BYTES = 64 * 1024 ** 2;

export function filledUpWebp(bytes: Uint8Array, value: number): Uint8Array {
  const length = 8 + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32LE(4);
  if (length <= bytes.length || length > MOST_BYTES) return bytes;
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length, value)]);
}
