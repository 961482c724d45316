import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import { SHIPPED_BACKGROUNDS } from '#protocol/pictures/frames.ts';
import { encodeBackground } from '../bundle/background-file.ts';
import { halved, type Plane, premultiplied } from '../bundle/planes.ts';
import { readPng } from '../bundle/png.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run backgrounds -- FOLDER

Packs FOLDER/NAME.png, as drawn by workers/studio/blender/rooms.py, as workers/avatar/backgrounds/NAME.background, for each background that
ships with the software.`,
  positionals: { min: 1, max: 1 },
});
const [folder] = positionals as [string];
const target = path.join(import.meta.dirname, '../avatar/backgrounds');

const bytes = ({ values }: Plane, offset: number) =>
  Uint8Array.from(values, (value) => Math.round(value + offset));

await mkdir(target, { recursive: true });
for (const name of SHIPPED_BACKGROUNDS) {
  const pixels = readPng(await readFile(path.join(folder, `${name}.png`)));
  const { y, u, v } = premultiplied(pixels);
  const i420 = Buffer.concat([bytes(y, 0), bytes(halved(u), 128), bytes(halved(v), 128)]);
  const file = await encodeBackground({ width: pixels.width, height: pixels.height, i420 });
  await writeFile(path.join(target, `${name}.background`), file);
  console.log(`${name}: ${(file.length / 1e3).toFixed(0)} kB`);
}
