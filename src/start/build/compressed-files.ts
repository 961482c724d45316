import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Fonts, pictures and the voice are compressed already. */
const TEXTS = '**/*.{html,js,css,svg,json,txt,md,xml}';
/** Smaller files fit one packet anyway. */
const LEAST_BYTES = 1024;
/** Higher ones take ten times as long for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const encodings = [
  { ending: '.br', encode: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI) },
  { ending: '.gz', encode: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }) },
];

/** Writes each text file of a built folder compressed beside it, for the server to send. */
export async function writeCompressed(folder: string, leftOut: readonly string[] = []) {
  const exclude = (name: string) => leftOut.includes(name);
  for await (const file of glob(TEXTS, { cwd: folder, exclude })) {
    const source = path.join(folder, file);
    const bytes = await readFile(source);
    if (bytes.length < LEAST_BYTES) continue;
    for (const { ending, encode } of encodings)
      await writeFile(`${source}${ending}`, await encode(bytes));
  }
}
