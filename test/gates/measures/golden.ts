import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Canvas, createCanvas, loadImage } from 'canvas';
import type { Background } from '../../../workers/enrolment/background/background.ts';
import { buildInChild } from '../../../workers/enrolment/child.ts';
import { type Bundle, openBundle } from '../../../workers/bundle/open-bundle.ts';
import { drawI420 } from '../../../workers/studio/portrait.ts';
import { LIP_SHAPES, type Mouth, RESTING_MOUTH } from '../../../workers/bundle/visemes.ts';
import { BuiltInPerformer } from '../../../workers/avatar/performer/built-in-performer.ts';
import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { seedOf } from '../../../workers/avatar/performer/chance.ts';
import { IDLE, type Life, lifeAt } from '../../../workers/avatar/performer/life.ts';
import { type Difference, differenceOf, type Picture } from './perceptual.ts';
import { CAST } from '../../support/cast.ts';

export const BUILT_IN = CAST.map(({ alias }) => alias);
const AVATARS = path.join(import.meta.dirname, '../../../workers/avatar/avatars');
const PHOTO = path.join(import.meta.dirname, '../../fixtures/photo/astronaut.jpg');
const GOLDEN = path.join(import.meta.dirname, '../baselines/golden');
const DIST = path.join(import.meta.dirname, '../dist');

const SEED = 'golden';
const FRAME_MS = 40;
/** Time for a mouth or a mood to develop. */
const SETTLE_MS = 800;
/** The face and its shoulders, at half size. */
const CROP = { x: 96, y: 80, side: 352 };
const TILE = CROP.side / 2;
const ACROSS = 5;

type Moment = { atMs: number; mouth?: Mouth; feeling?: string };

/** At rest, in a blink, turned, with each lip shape and in each mood. */
function moments({ face }: Bundle): Moment[] {
  const atMs = whenLife(({ lids, gaze, brows }) => -lids - Math.abs(gaze) - Math.abs(brows));
  const mouth = (lips: Mouth['lips'], opening: number): Moment => ({
    atMs,
    mouth: { lips, strength: 1, opening },
  });
  const moods = new Set(face.mouths.map(({ expression }) => expression));
  moods.delete('neutral');
  return [
    { atMs },
    { atMs: whenLife(({ lids }) => lids) },
    { atMs: whenLife(({ pose }) => pose.yaw) },
    { atMs: whenLife(({ pose }) => -pose.yaw - pose.pitch) },
    { atMs: whenLife(({ gaze }) => gaze) },
    mouth('neutral', 0.5),
    mouth('neutral', 1),
    ...LIP_SHAPES.slice(1).map((lips) => mouth(lips, 0.3)),
    ...[...moods].map((feeling) => ({ ...mouth('neutral', 0.5), feeling })),
  ];
}

/** The time of the largest value in the first minute of an idle face. */
function whenLife(of: (life: Life) => number): number {
  let [best, most] = [0, -Infinity];
  for (let at = SETTLE_MS; at < 60_000; at += FRAME_MS) {
    const value = of(lifeAt(seedOf(SEED), at, IDLE));
    if (value > most) [best, most] = [at, value];
  }
  return best;
}

function sheetOf(bundle: Bundle): Canvas {
  const sheetMoments = moments(bundle);
  const sheet = createCanvas(ACROSS * TILE, Math.ceil(sheetMoments.length / ACROSS) * TILE);
  const context = sheet.getContext('2d');
  sheetMoments.forEach((moment, i) => {
    const [left, top] = [(i % ACROSS) * TILE, Math.floor(i / ACROSS) * TILE];
    const { x, y, side } = CROP;
    context.drawImage(pictureOf(bundle, moment), x, y, side, side, left, top, TILE, TILE);
  });
  return sheet;
}

function pictureOf(bundle: Bundle, { atMs, mouth = RESTING_MOUTH, feeling }: Moment): Canvas {
  const { width, height } = PLAIN_FRAME;
  const frame = new Uint8Array(width * height * 1.5);
  const mouthTrack = { hear() {}, hush() {}, mouthAt: () => mouth, loudnessAt: () => 0 };
  const performer = new BuiltInPerformer(bundle, {
    seed: SEED,
    scene: PLAIN_FRAME,
    mouth: mouthTrack,
  });
  if (feeling) performer.feel(feeling);
  for (let at = atMs - SETTLE_MS; at <= atMs; at += FRAME_MS) performer.draw(at, frame);
  performer.close();
  return drawI420(frame, width, height);
}

export const builtInSheet = (name: string): Promise<Canvas> =>
  sheetOfFile(path.join(AVATARS, `${name}.avatar`));

/** The avatar built from the fixture photo, in front of a wall of this colour. */
export const WALL = [32, 96, 64] as const;

export async function buildPhotoAvatar(onProgress: (share: number) => void) {
  const background: Background = { kind: 'picture', picture: await wall() };
  const signal = new AbortController().signal;
  const wishes = { name: 'Eileen', background };
  return buildInChild(await readFile(PHOTO), wishes, { signal, onProgress });
}

function wall(): Promise<Buffer> {
  const canvas = createCanvas(640, 480);
  const context = canvas.getContext('2d');
  context.fillStyle = `rgb(${WALL.join()})`;
  context.fillRect(0, 0, 640, 480);
  return canvas.encode('png');
}

export const sheetOfFile = async (bundle: string): Promise<Canvas> =>
  closing(await openBundle(bundle));

function closing(bundle: Bundle): Canvas {
  try {
    return sheetOf(bundle);
  } finally {
    bundle.close();
  }
}

const goldenOf = (name: string) => path.join(GOLDEN, `${name}.png`);

export function writeGolden(name: string, sheet: Canvas) {
  mkdirSync(GOLDEN, { recursive: true });
  writeFileSync(goldenOf(name), sheet.toBuffer('image/png'));
}

/** Writes the drawn sheet and its differences to `test/gates/dist`. */
export async function compareWithGolden(
  name: string,
  sheet: Canvas,
  isVisible: (of: Difference) => boolean,
) {
  if (!existsSync(goldenOf(name))) throw new Error(`no golden sheet of ${name}`);
  const expected = createCanvas(sheet.width, sheet.height);
  const image = await loadImage(await readFile(goldenOf(name)));
  expected.getContext('2d').drawImage(image, 0, 0);
  const difference = differenceOf(pixelsOf(sheet), pixelsOf(expected));
  if (isVisible(difference)) {
    mkdirSync(DIST, { recursive: true });
    writeFileSync(path.join(DIST, `${name}.png`), sheet.toBuffer('image/png'));
    writeFileSync(path.join(DIST, `${name}-difference.png`), mapOf(difference, sheet));
  }
  return difference;
}

function pixelsOf(canvas: Canvas): Picture {
  const { width, height } = canvas;
  return { width, height, rgba: canvas.getContext('2d').getImageData(0, 0, width, height).data };
}

function mapOf({ blocks, blockSide, across }: Difference, { width, height }: Canvas): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillRect(0, 0, width, height);
  blocks.forEach((value, i) => {
    const light = Math.min(255, Math.round(40 * value));
    context.fillStyle = `rgb(${light} ${light} ${light})`;
    const [column, row] = [i % across, Math.floor(i / across)];
    context.fillRect(column * blockSide, row * blockSide, blockSide, blockSide);
  });
  return canvas.toBuffer('image/png');
}
