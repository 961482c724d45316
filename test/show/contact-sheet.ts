import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { openBundle } from '../../workers/bundle/open-bundle.ts';
import type { ClipKind } from './clip.ts';
import { STRAIGHT } from '../../workers/avatar/performer/pose.ts';

const { values, positionals, number } = readCommand({
  usage: `Usage: npm run contact-sheet -- NAME OUT.png [--yaw DEGREES] [--pitch DEGREES] [--roll DEGREES]
         [--crop X,Y,WIDTH,HEIGHT] [--clip OUT.webm] [--face OUT.webm]

Draws every mouth and eye state of an avatar in one pose, the limits of its motion, and twelve frames of a sentence.
  NAME             a built-in avatar, or the path of a bundle
  --clip OUT.webm  records ten seconds of a session with a built-in avatar, as a browser plays them
  --face OUT.webm  records four seconds without sound, small enough for the front page`,
  options: {
    yaw: { type: 'string', default: '0' },
    pitch: { type: 'string', default: '0' },
    roll: { type: 'string', default: '0' },
    crop: { type: 'string' },
    clip: { type: 'string' },
    face: { type: 'string' },
  },
  positionals: { min: 2, max: 2 },
});
const CLIP: ClipKind = { seconds: 10, hasSound: true, videoBitsPerSecond: 2_500_000 };
const FACE: ClipKind = { seconds: 4, hasSound: false, videoBitsPerSecond: 450_000 };

const [name, out] = positionals as [string, string];
const angle = (option: 'yaw' | 'pitch' | 'roll') => number(`--${option}`, values[option], -90);

const builtIn = new URL(`../../workers/avatar/avatars/${name}.avatar`, import.meta.url);
const bundle = await openBundle(existsSync(name) ? name : fileURLToPath(builtIn));
const pose = {
  ...STRAIGHT,
  yaw: angle('yaw'),
  pitch: angle('pitch'),
  roll: angle('roll'),
};
// Needs development packages, and `--help` none.
const { drawSheet } = await import('./sheet.ts');
const { width, height } = bundle.face.manifest;
const crop = (values.crop ?? `0,0,${width},${height}`).split(',').map(Number);
await writeFile(out, drawSheet(bundle, pose, crop as [number, number, number, number]));
bundle.close();

if (values.clip) await record(values.clip, CLIP);
if (values.face) await record(values.face, FACE);

async function record(file: string, kind: ClipKind): Promise<void> {
  const { recordClip } = await import('./clip.ts');
  await writeFile(file, await recordClip(name, kind));
}
