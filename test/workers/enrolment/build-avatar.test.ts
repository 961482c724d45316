import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { Build } from '#protocol/worker/gateway-messages.ts';
import { PictureError } from '../../../workers/enrolment/picture-error.ts';
import { avatarBuilder, type BuildPhoto } from '../../../workers/enrolment/build-avatar.ts';
import { BlobUnavailable, nameOf, type Blobs } from '../../../workers/runtime/blobs.ts';

const PICTURE = Buffer.from('the picture');
const OFFICE = Buffer.from('the office');
const GONE = nameOf(Buffer.from('gone'));

function memoryBlobs() {
  const stored = new Map([PICTURE, OFFICE].map((bytes) => [nameOf(bytes), bytes]));
  const blobs: Blobs = {
    async get(hash) {
      const bytes = stored.get(hash);
      if (!bytes) throw new BlobUnavailable('gone');
      return bytes;
    },
    async put(bytes) {
      stored.set(nameOf(bytes), Buffer.from(bytes));
      return nameOf(bytes);
    },
  };
  return { stored, blobs };
}

const order = (changes: Partial<Build> = {}): Build => ({
  type: 'build',
  placement: { avatarId: 'ada', epoch: 1 },
  name: 'Ada',
  picture: nameOf(PICTURE),
  background: 'blur',
  ...changes,
});

async function run(buildPhoto: BuildPhoto, changes: Partial<Build> = {}, blobs = memoryBlobs()) {
  const progress: number[] = [];
  const { signal } = new AbortController();
  const onProgress = (percent: number) => progress.push(percent);
  let logged = '';
  const log = createLog({ name: 'test' }, { write: (line) => (logged += line) });
  const build = avatarBuilder({ blobs: blobs.blobs, log, buildPhoto });
  const outcome = await build(order(changes), { signal, onProgress });
  return { outcome, progress, logged, stored: blobs.stored };
}

/** Copies its input into its output. */
const photo =
  (photoRequest: { wishes?: unknown } = {}): BuildPhoto =>
  async (picture, wishes, { onProgress }) => {
    Object.assign(photoRequest, { wishes });
    for (const share of [0, 0.5, Number.NaN, 7]) onProgress(share);
    const [bundle, portrait] = ['bundle', 'portrait'].map((name) =>
      Buffer.from(`${name} of ${String(picture)}`),
    );
    return { bundle: bundle!, portrait: portrait! };
  };

const refuse: BuildPhoto = async () => {
  throw new PictureError('covered');
};

describe('building an avatar', () => {
  test('uploads the bundle and the portrait to the control plane', async () => {
    const photoRequest: { wishes?: unknown } = {};

    const { outcome, stored } = await run(photo(photoRequest), { background: '#aabbcc' });

    if ('reason' in outcome) throw new Error(outcome.reason);
    expect(String(stored.get(outcome.bundle))).toBe('bundle of the picture');
    expect(String(stored.get(outcome.portrait))).toBe('portrait of the picture');
    expect(photoRequest.wishes).toEqual({
      name: 'Ada',
      background: { kind: 'colour', colour: '#aabbcc' },
    });
  });

  test('passes on the background picture', async () => {
    const photoRequest: { wishes?: unknown } = {};

    await run(photo(photoRequest), { backgroundPicture: nameOf(OFFICE) });

    expect(photoRequest.wishes).toEqual({
      name: 'Ada',
      background: { kind: 'picture', picture: OFFICE },
    });
  });

  test('reports progress in whole percent, whatever the child reports', async () => {
    expect((await run(photo())).progress).toEqual([0, 47, 0, 95]);
  });

  test('reports why a picture cannot become an avatar', async () => {
    const { outcome, logged } = await run(refuse);

    expect(outcome).toEqual({ reason: 'covered' });
    expect(logged).toBe('');
  });

  test('logs why a build crashed', async () => {
    const { outcome, logged } = await run(async () => {
      throw new PictureError('build_failed', { cause: new Error('exited with SIGSEGV') });
    });

    expect(outcome).toEqual({ reason: 'build_failed' });
    expect(logged).toContain('"avatarId":"ada"');
    expect(logged).toContain('exited with SIGSEGV');
  });

  test.each([{ picture: GONE }, { backgroundPicture: GONE }])(
    'does not blame the picture if a blob is unavailable: %o',
    async (changes) => {
      await expect(run(photo(), changes)).rejects.toThrow('gone');
    },
  );
});
