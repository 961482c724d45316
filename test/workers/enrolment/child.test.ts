import { describe, expect, test } from 'vitest';
import type { PhotoWishes } from '../../../workers/enrolment/build.ts';
import { buildInChild, PHOTO_LIMITS } from '../../../workers/enrolment/child.ts';
import { childAs, decoderUser } from '../../support/processes/child-processes.ts';
import { png, portrait } from './portraits.ts';

const wishes: PhotoWishes = { name: 'Eileen', background: { kind: 'blur' } };

type Options = Partial<Parameters<typeof buildInChild>[2]>;

const build = (options: Options = {}, { picture = portrait, wished = wishes } = {}) =>
  buildInChild(picture, wished, {
    signal: new AbortController().signal,
    onProgress: () => {},
    ...options,
  });

// At the lowest priority, a build may take minutes on a busy machine.
describe('the build process', { timeout: PHOTO_LIMITS.withinMs }, () => {
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
