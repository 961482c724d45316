import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { readCommand } from '#shared/process/command-line.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run character-maps -- FOLDER

Packs the character maps of a release of PDF.js, its folder \`cmaps\`, into src/knowledge/pdf-text/character-maps.br.`,
  positionals: { min: 1, max: 1 },
});

const PACKED = fileURLToPath(
  new URL('../../../knowledge/pdf-text/character-maps.br', import.meta.url),
);

const folder = positionals[0]!;
const names = (await readdir(folder)).filter((name) => name.endsWith('.bcmap')).toSorted();
const maps = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
const sizes = names.map((name, i) => [name, maps[i]!.length]);
const unpacked = Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...maps]);
await writeFile(PACKED, brotliCompressSync(unpacked));
