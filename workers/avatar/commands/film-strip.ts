/*
 * npm run film-strip -- NAME OUT.png [--speech FILE.wav] [--from SECONDS] [--every FRAMES] [--frames N] [--seed TEXT] [--crop x,y,width,height]
 *
 * Frames of a session as one picture, for looking at. The speech is mono 16-bit at 16 kHz; without it the face is idle.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createCanvas } from '@napi-rs/canvas';
import { openBundle } from '../bundle/open.ts';
import { BuiltInPerformer } from '../performer/built-in.ts';
import { HEARING_RATE } from '../performer/performer.ts';
import { drawI420 } from './portrait.ts';

const FRAME_MS = 40;
const ACROSS = 6;
const WAV_HEADER_BYTES = 44;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    speech: { type: 'string' },
    from: { type: 'string', default: '0' },
    every: { type: 'string', default: '1' },
    frames: { type: 'string', default: '24' },
    seed: { type: 'string', default: 'film-strip' },
    crop: { type: 'string' },
  },
});
const [name, out] = positionals;
if (!name || !out) throw new Error('npm run film-strip -- NAME OUT.png');

const bundle = await openBundle(path.join(import.meta.dirname, `../avatars/${name}.avatar`));
const { width, height } = bundle.face.manifest;
const performer = new BuiltInPerformer(bundle, { seed: values.seed });
const [x, y, cropWidth, cropHeight] = (values.crop ?? `0,0,${width},${height}`)
  .split(',')
  .map(Number) as [number, number, number, number];
const count = Number(values.frames);
const strip = createCanvas(ACROSS * cropWidth, Math.ceil(count / ACROSS) * cropHeight);
const context = strip.getContext('2d');
const frame = new Uint8Array(width * height * 1.5);

const wav = values.speech ? await readFile(values.speech) : Buffer.alloc(WAV_HEADER_BYTES);
const speech = new Int16Array(new Uint8Array(wav.subarray(WAV_HEADER_BYTES)).buffer);
const samplesAFrame = (HEARING_RATE * FRAME_MS) / 1000;
const first = Math.round((Number(values.from) * 1000) / FRAME_MS);
const last = first + count * Number(values.every);
// Speech is told as an agent sends it: some 200 ms before it sounds.
const ahead = 5;
for (let tick = -ahead; tick < last; tick++) {
  const told = speech.subarray((tick + ahead) * samplesAFrame, (tick + ahead + 1) * samplesAFrame);
  if (told.length > 0) performer.hear(told, (tick + ahead) * FRAME_MS);
  if (tick < 0) continue;
  performer.draw(tick * FRAME_MS, frame);
  const place = (tick - first) / Number(values.every);
  if (place < 0 || !Number.isInteger(place)) continue;
  const left = (place % ACROSS) * cropWidth;
  const top = Math.floor(place / ACROSS) * cropHeight;
  const picture = drawI420(frame, width, height);
  context.drawImage(picture, x, y, cropWidth, cropHeight, left, top, cropWidth, cropHeight);
  context.fillText(`${((tick * FRAME_MS) / 1000).toFixed(2)} s`, left + 4, top + 12);
}
performer.close();
bundle.close();
await writeFile(out, strip.toBuffer('image/png'));
