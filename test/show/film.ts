import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Canvas, SKRSContext2D } from 'canvas';
import { HEARING_RATE } from '#protocol/audio.ts';
import { readCommand } from '#shared/process/command-line.ts';
import { BuiltInPerformer } from '../../workers/avatar/performer/built-in-performer.ts';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import { openBundle } from '../../workers/bundle/open-bundle.ts';
import { readWave } from '../../workers/studio/wave-file.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run film -- OUT.webp

Makes the animated picture of the README: Nora answers a typed question. The performer draws the frames, as in a session.`,
  positionals: { min: 1, max: 1 },
});

const ROOT = path.join(import.meta.dirname, '../..');
const SPEECH = path.join(ROOT, 'deploy/examples/hello.wav');
const FONT = path.join(
  ROOT,
  'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
);
const QUESTION = 'Hi! Who are you?';
const ANSWER = 'Hello! I am Nora. How are you?';

const FRAME_MS = 40;
/** Every second frame is shown: half the size, and the lips still follow. */
const SHOWN_EVERY = 2;
const SAMPLES_A_FRAME = (HEARING_RATE * FRAME_MS) / 1000;
/** An agent sends speech about 200 ms before it sounds. */
const AHEAD_FRAMES = 5;
/** The question is read before the answer begins, and the answer after it. */
const BEFORE_MS = 1200;
const AFTER_MS = 1400;

const SIDE = 400;
const WIDTH = 680;
const TEXT_WIDTH = WIDTH - SIDE - 32;

// They need development packages, and `--help` none.
const { createCanvas, GlobalFonts } = await import('canvas');
const { drawI420 } = await import('../../workers/studio/portrait.ts');
const { default: sharp } = await import('sharp');
GlobalFonts.registerFromPath(FONT, 'Film');

const speech = hearing(SPEECH);
const speechMs = (speech.length / HEARING_RATE) * 1000;
const bundle = await openBundle(path.join(ROOT, 'workers/avatar/avatars/nora.avatar'));
const { width, height } = PLAIN_FRAME;
const performer = new BuiltInPerformer(bundle, { seed: 'film', scene: PLAIN_FRAME });
const face = new Uint8Array(width * height * 1.5);
const pictures: Buffer[] = [];

const end = Math.round((BEFORE_MS + speechMs + AFTER_MS) / FRAME_MS);
const begin = BEFORE_MS / FRAME_MS;
for (let tick = 0; tick < end; tick++) {
  const at = tick + AHEAD_FRAMES - begin;
  const samples = speech.subarray(Math.max(0, at) * SAMPLES_A_FRAME, (at + 1) * SAMPLES_A_FRAME);
  if (at >= 0 && samples.length > 0) performer.hear(samples, (tick + AHEAD_FRAMES) * FRAME_MS);
  performer.draw(tick * FRAME_MS, face);
  if (tick % SHOWN_EVERY === 0)
    pictures.push(drawPicture(drawI420(face, width, height), (tick - begin) * FRAME_MS));
}
performer.close();
bundle.close();

await writeFile(
  positionals[0]!,
  await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 80, effort: 6, loop: 0, delay: pictures.map(() => FRAME_MS * SHOWN_EVERY) })
    .toBuffer(),
);

/** `sinceSpeech`: milliseconds, negative before it. */
function drawPicture(portrait: Canvas, sinceSpeech: number): Buffer {
  const canvas = createCanvas(WIDTH, SIDE);
  const context = canvas.getContext('2d');
  context.fillStyle = '#f3f6ee';
  context.fillRect(0, 0, WIDTH, SIDE);
  context.drawImage(portrait, 0, 0, SIDE, SIDE);
  drawLine(context, { speaker: 'You', text: QUESTION, top: 48, color: '#e3efc4' });
  const spoken = wordsAt(sinceSpeech / speechMs);
  if (spoken) drawLine(context, { speaker: 'Nora', text: spoken, top: 152, color: '#ffffff' });
  return canvas.toBuffer('image/png');
}

/** The beginning of the answer, in whole words. */
function wordsAt(share: number): string {
  if (share < 0) return '';
  const next = ANSWER.indexOf(' ', Math.floor(share * ANSWER.length));
  return next < 0 ? ANSWER : ANSWER.slice(0, next);
}

type Line = { speaker: string; text: string; top: number; color: string };

function drawLine(context: SKRSContext2D, { speaker, text, top, color }: Line): void {
  const left = SIDE + 16;
  context.fillStyle = '#5d6b60';
  context.font = '15px Film';
  context.fillText(speaker, left + 4, top);
  context.font = '20px Film';
  const lines = wrapped(context, text);
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(left, top + 10, TEXT_WIDTH, 24 + lines.length * 26, 14);
  context.fill();
  context.fillStyle = '#14201a';
  for (const [index, line] of lines.entries())
    context.fillText(line, left + 14, top + 41 + index * 26);
}

function wrapped(context: SKRSContext2D, text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (context.measureText(longer).width > TEXT_WIDTH - 28) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function hearing(file: string): Int16Array {
  const { pcm, sampleRate, channels } = readWave(file);
  const resampler = new Resampler(sampleRate, channels, HEARING_RATE);
  return Int16Array.from([...resampler.push(pcm), ...resampler.flush()]);
}
