import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import type { Canvas, SKRSContext2D } from 'canvas';
import { openBundle } from '../bundle/open-bundle.ts';
import { LipSync, type Look } from '../avatar/lipsync/mouth-track.ts';
import { BuiltInPerformer } from '../avatar/performer/built-in-performer.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { Resampler } from '../avatar/speech/resample.ts';
import { readWave } from './wave-file.ts';

const FRAME_MS = 40;
const SAMPLES_A_FRAME = (HEARING_RATE * FRAME_MS) / 1000;
const ACROSS = 6;
/** An agent sends speech about 200 ms before it sounds. */
const AHEAD_FRAMES = 5;
const WAVE_HEIGHT = 72;
/** Frames of waveform on each side of a frame. */
const AROUND = 3;

const { values, positionals, number } = readCommand({
  usage: `Usage: npm run film-strip -- NAME OUT.png [--speech FILE.wav|flac] [--visemes] [--from SECONDS] [--every FRAMES]
         [--frames N] [--seed TEXT] [--crop X,Y,WIDTH,HEIGHT]

Draws frames of a session as one picture; without speech the face is idle. Under each frame of speech: the wave around it with
its own 40 ms marked, and the viseme that the mouth follows.
  NAME       a built-in avatar, or the path of a bundle
  --visemes  only the middle frame of each viseme`,
  options: {
    speech: { type: 'string' },
    visemes: { type: 'boolean', default: false },
    from: { type: 'string', default: '0' },
    every: { type: 'string', default: '1' },
    frames: { type: 'string', default: '24' },
    seed: { type: 'string', default: 'film-strip' },
    crop: { type: 'string' },
  },
  positionals: { min: 2, max: 2 },
});
const [name, out] = positionals as [string, string];
const every = number('--every', values.every, 1);

const speech = values.speech ? resampledSpeech(values.speech) : new Int16Array(0);
const firstTick = Math.round((number('--from', values.from) * 1000) / FRAME_MS);
const count = number('--frames', values.frames, 1);
const ticks = values.visemes
  ? middles(looksAt(firstTick, Math.ceil(speech.length / SAMPLES_A_FRAME)), count)
  : Array.from({ length: count }, (_, i) => firstTick + i * every);
const looks = looksAt(0, ticks.at(-1)! + 1);
const loudest = speech.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);

const builtIn = path.join(import.meta.dirname, `../avatar/avatars/${name}.avatar`);
const bundle = await openBundle(existsSync(name) ? name : builtIn);
const { width, height } = PLAIN_FRAME;
const performer = new BuiltInPerformer(bundle, { seed: values.seed, scene: PLAIN_FRAME });
const [x, y, tileWidth, pictureHeight] = (values.crop ?? `0,0,${width},${height}`)
  .split(',')
  .map(Number) as [number, number, number, number];
const tileHeight = pictureHeight + (speech.length > 0 ? WAVE_HEIGHT : 0);
// They need development packages, and `--help` none.
const { createCanvas } = await import('canvas');
const { drawI420 } = await import('./portrait.ts');
const strip = createCanvas(ACROSS * tileWidth, Math.ceil(ticks.length / ACROSS) * tileHeight);
const context = strip.getContext('2d');
const frame = new Uint8Array(width * height * 1.5);

for (let tick = -AHEAD_FRAMES; tick <= ticks.at(-1)!; tick++) {
  tell(performer, tick);
  if (tick < 0) continue;
  performer.draw(tick * FRAME_MS, frame);
  const place = ticks.indexOf(tick);
  if (place < 0) continue;
  const tileX = (place % ACROSS) * tileWidth;
  const tileY = Math.floor(place / ACROSS) * tileHeight;
  drawPicture(drawI420(frame, width, height), tileX, tileY);
  if (speech.length > 0) drawWave(context, tick, tileX, tileY + pictureHeight);
}
performer.close();
bundle.close();
await writeFile(out, strip.toBuffer('image/png'));

/** Passes on the sound that has arrived at `tick`. */
function tell(to: Pick<LipSync, 'hear'>, tick: number) {
  const at = tick + AHEAD_FRAMES;
  const samples = speech.subarray(at * SAMPLES_A_FRAME, (at + 1) * SAMPLES_A_FRAME);
  if (samples.length > 0) to.hear(samples, at * FRAME_MS);
}

function looksAt(from: number, to: number): { tick: number; look: Look }[] {
  const lipSync = new LipSync();
  const lookTimes = [];
  for (let tick = -AHEAD_FRAMES; tick < to; tick++) {
    tell(lipSync, tick);
    if (tick < 0) continue;
    const look = lipSync.lookAt(tick * FRAME_MS);
    if (tick >= from) lookTimes.push({ tick, look });
  }
  return lookTimes;
}

/** The middle of each run of equal visemes. */
function middles(lookTimes: { tick: number; look: Look }[], most: number): number[] {
  const middleTicks: number[] = [];
  for (let start = 0, end = 0; start < lookTimes.length && middleTicks.length < most; start = end) {
    while (end < lookTimes.length && lookTimes[end]!.look.viseme === lookTimes[start]!.look.viseme)
      end++;
    middleTicks.push(lookTimes[(start + end - 1) >> 1]!.tick);
  }
  return middleTicks;
}

function drawPicture(picture: Canvas, tileX: number, tileY: number) {
  context.drawImage(
    picture,
    x,
    y,
    tileWidth,
    pictureHeight,
    tileX,
    tileY,
    tileWidth,
    pictureHeight,
  );
}

function drawWave(to: SKRSContext2D, tick: number, tileX: number, tileY: number) {
  const middle = tileY + WAVE_HEIGHT / 2;
  const columns = 2 * AROUND + 1;
  to.fillStyle = '#101418';
  to.fillRect(tileX, tileY, tileWidth, WAVE_HEIGHT);
  to.fillStyle = '#2c4a63';
  to.fillRect(tileX + (AROUND * tileWidth) / columns, tileY, tileWidth / columns, WAVE_HEIGHT);
  to.fillStyle = '#9fd3ff';
  const begin = (tick - AROUND) * SAMPLES_A_FRAME;
  const step = (columns * SAMPLES_A_FRAME) / tileWidth;
  for (let column = 0; column < tileWidth - 2; column++) {
    const from = Math.floor(begin + column * step);
    const piece = speech.subarray(Math.max(0, from), Math.max(0, Math.ceil(from + step)));
    let most = 0;
    for (const sample of piece) most = Math.max(most, Math.abs(sample));
    const reach = Math.max(0.5, (most / loudest) * (WAVE_HEIGHT / 2 - 2));
    to.fillRect(tileX + column, middle - reach, 1, 2 * reach);
  }
  const { viseme, opening } = looks[tick]!.look;
  to.fillStyle = '#ffffff';
  to.font = '12px sans-serif';
  to.fillText(`${((tick * FRAME_MS) / 1000).toFixed(2)} s`, tileX + 4, tileY + 13);
  to.fillText(`${viseme} ${opening.toFixed(2)}`, tileX + 4, tileY + WAVE_HEIGHT - 5);
}

function resampledSpeech(file: string): Int16Array {
  const { pcm, sampleRate, channels } = readWave(file);
  const resampler = new Resampler(sampleRate, channels, HEARING_RATE);
  const parts = [resampler.push(pcm), resampler.flush()];
  return Int16Array.from(parts.flatMap((part) => [...part]));
}
