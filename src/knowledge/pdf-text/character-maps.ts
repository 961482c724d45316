import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/*
 * Maps codes of Chinese, Japanese and Korean fonts to characters, for fonts that a PDF names but
 * does not hold. The file, made by `npm run character-maps`, has a line of JSON with the name and
 * size of each map, and their bytes. It is read at the start: the process later has another user.
 */
const unpacked = brotliDecompressSync(
  readFileSync(path.join(import.meta.dirname, 'character-maps.br')),
);
const lineEnd = unpacked.indexOf('\n');
const sizes = JSON.parse(unpacked.toString('utf8', 0, lineEnd)) as [name: string, size: number][];
let nextAt = lineEnd + 1;
const maps = new Map(
  sizes.map(([name, size]) => [name, unpacked.subarray(nextAt, (nextAt += size))]),
);

/** Gives the PDF library character maps, and neither fonts nor WebAssembly. */
export class CharacterMaps {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? maps.get(filename) : undefined;
    if (!map) throw new Error(`${filename} is not a character map`);
    // The library may transfer it.
    return new Uint8Array(map);
  }
}
