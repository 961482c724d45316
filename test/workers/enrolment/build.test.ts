import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from 'canvas';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { headOf } from '../../../workers/enrolment/build.ts';
import { PHOTO_LIMITS } from '../../../workers/enrolment/child.ts';
import { FaceFinder } from '../../../workers/enrolment/face/landmarks.ts';
import { LIPS } from '../../../workers/enrolment/face/face-points.ts';
import type { Head } from '../../../workers/enrolment/face/head-crop.ts';
import { decodeBundle, type Face } from '../../../workers/bundle/open-bundle.ts';
import { LIP_SHAPES } from '../../../workers/bundle/visemes.ts';
import { FaceMemory, type Sprite } from '../../../workers/avatar/performer/face.ts';
import { fieldArguments, type Pose, STRAIGHT } from '../../../workers/avatar/performer/pose.ts';
import {
  buildPhotoAvatar,
  compareWithGolden,
  sheetOfFile,
  WALL,
} from '../../gates/measures/golden.ts';
import type { Difference } from '../../gates/measures/perceptual.ts';
import { portrait } from './portraits.ts';

const MIB = 1024 ** 2;
/** Brightness steps at an edge that are invisible in a moving picture. */
const SEEN = 6;
/** Between golden sheets: the landmark networks add in a different order on other processors. */
const isSeen = ({ mean, greatest }: Difference) => mean > 0.3 || greatest > 2;

let avatar: Awaited<ReturnType<typeof buildPhotoAvatar>>;
/** Bytes that its build added to this process. */
let added: number;
let face: Face;
let head: Head;
const shares: number[] = [];

// The one whole build of a run. At the lowest priority, it may take minutes on a busy machine.
beforeAll(async () => {
  const bytesBefore = process.memoryUsage.rss();
  avatar = await buildPhotoAvatar((share) => shares.push(share));
  added = process.memoryUsage.rss() - bytesBefore;
  face = await decodeBundle(Buffer.from(avatar.bundle));
  head = await headOf(portrait, await FaceFinder.open());
}, PHOTO_LIMITS.withinMs);

/** The luma plane of the picture with these sprites drawn. */
function shown(fit: (memory: FaceMemory) => Sprite[], pose: Partial<Pose> = {}): Uint8Array {
  const memory = new FaceMemory(face);
  const planes = memory.take();
  for (const { fitted } of fit(memory)) memory.add(planes, fitted, 256);
  memory.warp.field(...fieldArguments({ ...STRAIGHT, ...pose }));
  const frame = new Uint8Array(512 * 512 * 1.5);
  memory.draw(planes, frame);
  return frame;
}

const mouth = (name: string) => (memory: FaceMemory) => [
  memory.mouths[face.manifest.mouths.findIndex((each) => each.name === name)]!,
];
const eyes = (name: string) => (memory: FaceMemory) => [
  memory.eyes[face.manifest.eyes.findIndex((each) => each.name === name)]!,
];
const at = (frame: Uint8Array, [x, y]: readonly [number, number, ...unknown[]]) =>
  frame[Math.round(y) * 512 + Math.round(x)]!;
/** Around a point: one pixel may be a reflection of the light. */
const around = (frame: Uint8Array, [x, y]: readonly [number, number, ...unknown[]]) =>
  mean(
    Array.from({ length: 49 }, (_, i) => at(frame, [x - 3 + (i % 7), y - 3 + Math.floor(i / 7)])),
  );
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The lowest redness between the lips, where white teeth show. */
function rednessIn(frame: Uint8Array): number {
  const [top, bottom] = [head.points[LIPS.upperInner[5]]!, head.points[LIPS.lowerInner[5]]!];
  const column = Array.from(
    { length: 7 },
    (_, i) => top[1] + ((i + 2) / 10) * (bottom[1] - top[1]),
  );
  const redAt = (y: number) =>
    frame[512 * 512 * 1.25 + Math.floor(y / 2) * 256 + Math.floor(top[0] / 2)]! - 128;
  return Math.min(...column.map(redAt));
}

/** Position of the iris on the picture's right: the centre of the darkest part of its row. */
function irisIn(frame: Uint8Array): number {
  const [x, y] = head.points[468]!;
  const row = Array.from({ length: 41 }, (_, i) => ({ x: i, light: at(frame, [x - 20 + i, y]) }));
  const darkest = row.sort((a, b) => a.light - b.light).slice(0, 9);
  return mean(darkest.map((each) => each.x));
}

describe('an avatar built from a photo', () => {
  test('has every lip shape, lids, gaze and brows', () => {
    const { mouths, eyes, name } = face.manifest;

    expect(name).toBe('Eileen');
    expect(new Set(mouths.map(({ lips }) => lips))).toEqual(new Set(LIP_SHAPES));
    expect(mouths.filter(({ lips }) => lips === 'neutral')).toHaveLength(7);
    expect(Math.max(...eyes.map(({ lids }) => lids))).toBe(1);
    expect(new Set(eyes.map(({ gaze }) => Math.sign(gaze)))).toEqual(new Set([-1, 0, 1]));
    expect(eyes.filter(({ brows }) => brows > 0)).toHaveLength(2);
  });

  test('is small, both packed and opened', () => {
    const sprites = [...face.mouths, ...face.eyes].map((sprite) => sprite.unpackNow());
    const opened =
      sprites.reduce((sum, { y, u, v }) => sum + y.length + u.length + v.length, 0) * 2;

    expect(avatar.bundle.length).toBeLessThan(2_000_000);
    expect(opened).toBeLessThan(20_000_000);
  });

  test('has a portrait of the same size', async () => {
    const picture = await loadImage(Buffer.from(avatar.portrait));

    expect([picture.width, picture.height]).toEqual([512, 512]);
    expect(Buffer.from(avatar.portrait).toString('latin1', 8, 12)).toBe('WEBP');
    const context = createCanvas(1, 1).getContext('2d');
    context.drawImage(picture, 0, 0);
    const corner = context.getImageData(0, 0, 1, 1).data;
    expect(Math.max(...WALL.map((value, i) => Math.abs(value - corner[i]!)))).toBeLessThan(8);
  });

  test('does not affect the process that wants it', () => {
    expect(added).toBeLessThan(64 * MIB);
  });

  test('looks like its golden sheet', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'photo-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'face.avatar');
    await writeFile(file, avatar.bundle);

    const difference = await compareWithGolden('photo', await sheetOfFile(file), isSeen);

    const { mean, greatest } = difference;
    const problem = `CIEDE2000 mean ${mean.toFixed(3)}, block ${greatest.toFixed(2)}: see test/gates/dist`;
    expect(isSeen(difference), problem).toBe(false);
  });

  test('reports progress', () => {
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  test('shuts a mouth that smiles with teeth in the photo', () => {
    const [shut, pressed, open] = ['rest', 'pressed_1', 'open_3'].map((name) =>
      rednessIn(shown(mouth(name))),
    );

    expect(shut).toBeGreaterThan(16);
    expect(pressed).toBeGreaterThan(16);
    expect(open).toBeLessThan(14);
  });

  test('opens the mouth in increasing steps, including the chin', () => {
    const openings = face.manifest.mouths.filter(({ lips }) => lips === 'neutral');
    const dark = openings.map(({ name }) => {
      const frame = shown(mouth(name));
      const [x, y] = head.points[LIPS.lowerInner[5]]!;
      return Array.from({ length: 40 }, (_, i) => at(frame, [x, y - 10 + i])).filter((v) => v < 75)
        .length;
    });
    const widest = openings.at(-1)!;

    expect(dark.at(-1)).toBeGreaterThan(8);
    expect(dark.at(-1)).toBeGreaterThan(dark[2]!);
    expect(widest.area.y + widest.area.height).toBeGreaterThan(head.points[152]![1]);
  });

  test('covers the irises in a blink', () => {
    const open = shown(eyes('rest'));
    const shut = shown(eyes('closed'));

    for (const iris of [468, 473]) {
      const point = head.points[iris]!;
      expect(around(shut, point)).toBeGreaterThan(around(open, point) + 50);
    }
  });

  test('looks to one side and to the other', () => {
    const [leftGaze, right] = [shown(eyes('look_left')), shown(eyes('look_right'))];
    expect(irisIn(right) - irisIn(leftGaze)).toBeGreaterThan(3);
  });

  test('has only the requested picture as background', () => {
    const [red, green, blue] = WALL;
    const light = 16 + ((235 - 16) * (0.299 * red + 0.587 * green + 0.114 * blue)) / 255;
    const corners = [
      [4, 4],
      [507, 4],
      [4, 200],
      [507, 200],
    ] as const;

    for (const pose of [{}, { yaw: 4 }, { yaw: -4, roll: 2 }]) {
      const frame = shown(() => [], pose);
      for (const corner of corners) expect(Math.abs(at(frame, corner) - light)).toBeLessThan(3);
    }
  });

  test('has no visible seam at the border of its sprites', () => {
    const eyes = face.eyes.filter(({ gaze }) => gaze === 0);
    // An iris moves up to the edge of the lid, which is an edge in any picture.
    for (const { name, ...sprite } of [...face.mouths, ...eyes]) {
      const { y, area } = sprite.unpackNow();
      const border = Array.from({ length: area.width }, (_, i) => [y[i]!, y[y.length - 1 - i]!]);

      expect(Math.max(0, ...border.flat().map(Math.abs)), name).toBeLessThanOrEqual(SEEN);
    }
  });
});
