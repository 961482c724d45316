/*
 * npm run contact-sheet -- NAME OUT.png [--yaw DEGREES] [--pitch DEGREES] [--roll DEGREES] [--crop x,y,width,height]
 *
 * Every mouth and every eye state of a bundle, in one pose, and the face at the ends of its motion, for looking at.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createCanvas } from '@napi-rs/canvas';
import { openBundle } from '../bundle/open.ts';
import { type Fitted, memoryOf } from '../performer/face.ts';
import { fieldArguments, type Pose, STRAIGHT } from '../performer/pose.ts';
import { drawI420 } from './portrait.ts';

const ACROSS = 6;
const ENDS: Partial<Pose>[] = [
  { yaw: 4 },
  { yaw: -4 },
  { pitch: 3 },
  { pitch: -3 },
  { yaw: 4, pitch: 3, roll: 2, breath: 1.3 },
  { yaw: -4, pitch: -3, roll: -2, breath: -1.3 },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    yaw: { type: 'string', default: '0' },
    pitch: { type: 'string', default: '0' },
    roll: { type: 'string', default: '0' },
    crop: { type: 'string' },
  },
});
const [name, out] = positionals;
if (!name || !out) throw new Error('npm run contact-sheet -- NAME OUT.png');

const bundle = await openBundle(path.join(import.meta.dirname, `../avatars/${name}.avatar`));
const { face } = bundle;
const { width, height } = face.manifest;
const memory = memoryOf(face);
const planes = memory.take();
const frame = new Uint8Array(width * height * 1.5);
const [x, y, cropWidth, cropHeight] = (values.crop ?? `0,0,${width},${height}`)
  .split(',')
  .map(Number) as [number, number, number, number];

const given = {
  ...STRAIGHT,
  yaw: Number(values.yaw),
  pitch: Number(values.pitch),
  roll: Number(values.roll),
};
type Tile = { label: string; fitted: Fitted | null; pose: Pose };
const tiles: Tile[] = [
  ...face.mouths.map((m, i) => ({ label: m.name, fitted: memory.mouths[i]!, pose: given })),
  ...face.eyes.map((e, i) => ({ label: `eyes ${e.name}`, fitted: memory.eyes[i]!, pose: given })),
  ...ENDS.map((end) => ({
    label: JSON.stringify(end),
    fitted: null,
    pose: { ...STRAIGHT, ...end },
  })),
];
const sheet = createCanvas(ACROSS * cropWidth, Math.ceil(tiles.length / ACROSS) * cropHeight);
const context = sheet.getContext('2d');
tiles.forEach(({ label, fitted, pose }, i) => {
  if (fitted) memory.add(planes, fitted, 256);
  memory.warp.field(...fieldArguments(pose));
  memory.draw(planes, frame);
  if (fitted) memory.restore(planes, fitted.area);
  const left = (i % ACROSS) * cropWidth;
  const top = Math.floor(i / ACROSS) * cropHeight;
  const picture = drawI420(frame, width, height);
  context.drawImage(picture, x, y, cropWidth, cropHeight, left, top, cropWidth, cropHeight);
  context.fillText(label, left + 4, top + 12);
});
bundle.close();
await writeFile(out, sheet.toBuffer('image/png'));
