/* Writes tar archives (POSIX ustar), which need no index and so can be streamed. */

export type ArchiveFile = {
  /** At most 100 ASCII characters. */
  name: string;
  /** In bytes. */
  size: number;
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

export const wholeFile = (name: string, bytes: Uint8Array): ArchiveFile => ({
  name,
  size: bytes.length,
  parts: [bytes],
});

export const textFile = (name: string, text: string): ArchiveFile =>
  wholeFile(name, Buffer.from(text));

const BLOCK = 512;

/** `at`: the time of all files, in milliseconds since the epoch. */
export async function* tar(files: AsyncIterable<ArchiveFile>, at: number): AsyncGenerator<Buffer> {
  for await (const { name, size, parts } of files) {
    yield headerOf(name, size, at);
    let written = 0;
    for await (const part of parts) {
      yield Buffer.from(part);
      written += part.length;
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`);
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Fields with their offsets, as the format fixes them. */
function headerOf(name: string, size: number, at: number): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new Error(`${name} cannot name an archived file`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(Math.floor(at / 1000), 11), 136);
  // The checksum counts itself as spaces.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  // A zero byte, then the version `00`.
  header.write('ustar', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
