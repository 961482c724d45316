/*
 * npm run contact-sheet -- NAME OUT.png [--yaw DEGREES] [--pitch DEGREES] [--roll DEGREES] [--crop x,y,width,height]
 *                          [--clip OUT.webm] [--animated OUT.webp]
 *
 * All that a face can look like, for looking at: every mouth and every eye state in one pose, the ends of its motion, and twelve frames of a
 * spoken sentence. NAME is a built-in avatar, or the path of a bundle. --clip (of a built-in one) records ten seconds with sound as a browser sees
 * and hears them in a session with the whole service; --animated makes an animated picture of these, by ffmpeg.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBundle } from '../../workers/bundle/open.ts';
import { STRAIGHT } from '../../workers/avatar/performer/pose.ts';
import { recordClip } from './clip.ts';
import { drawSheet } from './sheet.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    yaw: { type: 'string', default: '0' },
    pitch: { type: 'string', default: '0' },
    roll: { type: 'string', default: '0' },
    crop: { type: 'string' },
    clip: { type: 'string' },
    animated: { type: 'string' },
  },
});
const [name, out] = positionals;
if (!name || !out) throw new Error('npm run contact-sheet -- NAME OUT.png');
if (values.animated && !values.clip) throw new Error('--animated is made of a --clip');

const builtIn = new URL(`../../workers/avatar/avatars/${name}.avatar`, import.meta.url);
const bundle = await openBundle(existsSync(name) ? name : fileURLToPath(builtIn));
const pose = {
  ...STRAIGHT,
  yaw: Number(values.yaw),
  pitch: Number(values.pitch),
  roll: Number(values.roll),
};
const { width, height } = bundle.face.manifest;
const crop = (values.crop ?? `0,0,${width},${height}`).split(',').map(Number);
await writeFile(out, drawSheet(bundle, pose, crop as [number, number, number, number]));
bundle.close();

if (values.clip) await writeFile(values.clip, await recordClip(name));
if (values.clip && values.animated) animate(values.clip, values.animated);

/** Small enough to stand in a README. */
function animate(clip: string, animated: string) {
  const filter = 'fps=12.5,scale=320:320:flags=lanczos';
  const done = spawnSync(
    'ffmpeg',
    // A lower quality leaves blocks that add up from picture to picture.
    ['-y', '-i', clip, '-t', '4', '-vf', filter, '-loop', '0', '-quality', '90', animated],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (done.error)
    throw new Error('ffmpeg is not here: apt-get install ffmpeg', { cause: done.error });
  if (done.status !== 0) throw new Error('ffmpeg could not make the animated picture');
}
