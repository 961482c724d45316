import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from 'canvas';
import { describe, expect, test } from 'vitest';
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
import { childAs, decoderUser } from '../../support/processes/child-processes.ts';
import { png, portrait } from './portraits.ts';

const MIB = 1024 ** 2;
const wishes: PhotoWishes = { name: 'Eileen', background: { kind: 'blur' } };

async function cornerOf(picture: Buffer): Promise<number[]> {
  const context = createCanvas(1, 1).getContext('2d');
  context.drawImage(await loadImage(picture), 0, 0);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

type Options = Partial<Parameters<typeof buildInChild>[2]>;

const build = (options: Options = {}, { picture = portrait, wished = wishes } = {}) =>
  buildInChild(picture, wished, {
    signal: new AbortController().signal,
    onProgress: () => {},
    ...options,
  });

/** The sheet of a bundle, which is read from a file. */
async function sheetOf(bundle: Uint8Array) {
  const folder = await mkdtemp(path.join(tmpdir(), 'photo-test-'));
  try {
    const file = path.join(folder, 'face.avatar');
    await writeFile(file, bundle);
    return await sheetOfFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The landmark networks add in a different order on other processors. */
const isSeen = ({ mean, greatest }: Difference) => mean > 0.3 || greatest > 2;

// At the lowest priority, a build may take minutes on a busy machine.
describe('the build process', { timeout: PHOTO_LIMITS.withinMs }, () => {
  test('makes bundle and portrait, reports progress, and does not affect its parent', async () => {
    const shares: number[] = [];
    const before = process.memoryUsage.rss();

    const made = await buildPhotoAvatar((share) => shares.push(share));

    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MIB);
    expect(shares.at(-1)).toBe(1);
    const still = Buffer.from(made.portrait);
    expect(still.toString('latin1', 8, 12)).toBe('WEBP');
    const corner = await cornerOf(still);
    expect(Math.max(...WALL.map((value, i) => Math.abs(value - corner[i]!)))).toBeLessThan(8);
    const { manifest } = await decodeBundle(Buffer.from(made.bundle));
    expect(manifest.name).toBe('Eileen');
    // Gate `golden`. Checked here, because a build takes seconds.
    const difference = await compareWithGolden('photo', await sheetOf(made.bundle), isSeen);
    const { mean, greatest } = difference;
    const told = `CIEDE2000 mean ${mean.toFixed(3)}, block ${greatest.toFixed(2)}: see test/gates/dist`;
    expect(isSeen(difference), told).toBe(false);
  });

  test('reports what is wrong with a picture', async () => {
    const building = build({}, { picture: Buffer.from('not at all') });

    const reason = 'not_a_picture';
    await expect(building).rejects.toMatchObject({ name: 'PictureError', reason });
  });

  test.each([
    ['cut off', portrait.subarray(0, 120)],
    ['too large', png(30_000, 2_000, Buffer.alloc(30_000), { depth: 8, colourType: 0 })],
  ])('reports a bad background: %s', async (_what, bytes) => {
    const background = { kind: 'picture', picture: bytes } as const;
    const building = build({}, { wished: { ...wishes, background } });

    const reason = 'bad_background';
    await expect(building).rejects.toMatchObject({ name: 'PictureError', reason });
  });

  test('fails when it exceeds its memory limit', async () => {
    const building = build({ limits: { ...PHOTO_LIMITS, memoryMiB: 96 } });

    await expect(building).rejects.toMatchObject({
      reason: 'build_failed',
      cause: { message: 'the build process needed more memory than it may' },
    });
  });

  test.each(['processorMs', 'withinMs'])('is killed when it exceeds %s', async (limit) => {
    const building = build({ limits: { ...PHOTO_LIMITS, [limit]: 20 } });

    await expect(building).rejects.toMatchObject({ reason: 'took_too_long' });
  });

  test('is killed on abort', async () => {
    const unwanted = new AbortController();
    const building = build({
      signal: unwanted.signal,
      onProgress: () => unwanted.abort(new Error('deleted')),
    });

    await expect(building).rejects.toThrow('deleted');
  });

  test('is another user where the worker runs as root, with an empty environment', async () => {
    const unwanted = new AbortController();
    const building = build({ signal: unwanted.signal });
    const aborted = expect(building).rejects.toThrow('seen');

    const decoder = await childAs(decoderUser, 'child-process.ts');
    unwanted.abort(new Error('seen'));
    await aborted;

    expect(decoder.environment).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']);
  });

  test('is not started if already aborted', async () => {
    await expect(build({ signal: AbortSignal.abort(new Error('deleted')) })).rejects.toThrow(
      'deleted',
    );
  });
});
