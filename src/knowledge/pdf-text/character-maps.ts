import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * Maps codes of Chinese, Japanese and Korean fonts to characters, for fonts that a PDF names but
 * does not hold. The files are read at the start, because the process later has another user.
 */
const folder = path.join(import.meta.dirname, 'cmaps');
const maps = new Map(
  readdirSync(folder).map((file) => [file, new Uint8Array(readFileSync(path.join(folder, file)))]),
);

/** Gives the PDF library character maps, and neither fonts nor WebAssembly. */
export class CharacterMaps {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? maps.get(filename) : undefined;
    if (!map) throw new Error(`${filename} is not a character map`);
    // The library may transfer it.
    return map.slice();
  }
}
