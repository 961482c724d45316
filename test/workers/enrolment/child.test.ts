import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PhotoWishes } from '../../../workers/enrolment/build.ts';
import { buildInChild, PHOTO_LIMITS } from '../../../workers/enrolment/child.ts';
import { decodeBundle } from '../../../workers/bundle/open.ts';
import {
  buildPhotoAvatar,
  compareWithGolden,
  sheetOfFile,
  WALL,
} from '../../gates/measures/golden.ts';
import type { Difference } from '../../gates/measures/perceptual.ts';
import { png, portrait } from './portraits.ts';

const MIB = 1024 ** 2;
const wishes: PhotoWishes = { name: 'Eileen', background: { kind: 'blur' } };

let folder: string;
let picture: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'photo-test-'));
  picture = path.join(folder, 'picture');
  await writeFile(picture, portrait);
});
afterEach(() => rm(folder, { recursive: true }));

async function cornerOf(picture: Buffer): Promise<number[]> {
  const context = createCanvas(1, 1).getContext('2d');
  context.drawImage(await loadImage(picture), 0, 0);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

const build = (more: Partial<Parameters<typeof buildInChild>[2]> = {}, wished = wishes) =>
  buildInChild(picture, wished, {
    outFolder: folder,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  });

/** The landmark networks add in a different order on other processors. */
const isSeen = ({ mean, greatest }: Difference) => mean > 0.3 || greatest > 2;

describe('the build process', () => {
  test('writes bundle and portrait, reports progress, and does not affect its parent', async () => {
    const shares: number[] = [];
    const before = process.memoryUsage.rss();

    const made = await buildPhotoAvatar(folder, (share) => shares.push(share));

    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MIB);
    expect(shares.at(-1)).toBe(1);
    const still = await readFile(made.portrait);
    expect(still.toString('latin1', 8, 12)).toBe('WEBP');
    const corner = await cornerOf(still);
    expect(Math.max(...WALL.map((value, i) => Math.abs(value - corner[i]!)))).toBeLessThan(8);
    const { manifest } = await decodeBundle(await readFile(made.bundle));
    expect(manifest.name).toBe('Eileen');
    // Gate `golden`. Checked here, because a build takes seconds.
    const difference = await compareWithGolden('photo', await sheetOfFile(made.bundle), isSeen);
    const { mean, greatest } = difference;
    const told = `CIEDE2000 mean ${mean.toFixed(3)}, block ${greatest.toFixed(2)}: see test/gates/dist`;
    expect(isSeen(difference), told).toBe(false);
  }, 60_000);

  test('reports what is wrong with a picture', async () => {
    await writeFile(picture, 'not at all');

    await expect(build()).rejects.toMatchObject({ name: 'PictureError', reason: 'not_a_picture' });
  });

  test.each([
    ['cut off', portrait.subarray(0, 120)],
    ['too large', png(30_000, 2_000, Buffer.alloc(30_000), { depth: 8, colourType: 0 })],
  ])('reports a bad background: %s', async (_what, bytes) => {
    const building = build({}, { ...wishes, background: { kind: 'picture', picture: bytes } });

    const reason = 'bad_background';
    await expect(building).rejects.toMatchObject({ name: 'PictureError', reason });
  });

  test('fails when it exceeds its memory limit', async () => {
    const building = build({ limits: { ...PHOTO_LIMITS, memoryMiB: 96 } });

    await expect(building).rejects.toMatchObject({ reason: 'build_failed' });
    expect(await readdir(folder)).toEqual(['picture']);
  });

  test('fails when the picture is missing', async () => {
    await rm(picture);

    await expect(build()).rejects.toMatchObject({ reason: 'build_failed' });
  });

  test('is killed when it takes too long', async () => {
    const building = build({ limits: { ...PHOTO_LIMITS, withinMs: 20 } });

    await expect(building).rejects.toMatchObject({ reason: 'took_too_long' });
  });

  test('is killed on abort', async () => {
    const unwanted = new AbortController();
    const building = build({
      signal: unwanted.signal,
      onProgress: () => unwanted.abort(new Error('deleted')),
    });

    await expect(building).rejects.toThrow('deleted');
    expect(await readdir(folder)).toEqual(['picture']);
  });

  test('is not started if already aborted', async () => {
    await expect(build({ signal: AbortSignal.abort(new Error('deleted')) })).rejects.toThrow(
      'deleted',
    );
  });
});
