import type { Log } from '#shared/log.ts';
import type { Build } from '#protocol/worker/gateway-messages.ts';
import type { Blobs } from '../runtime/blobs.ts';
import type { BuildAvatar } from '../runtime/builds.ts';
import type { Background } from './background/background.ts';
import { buildInChild } from './child.ts';
import { PictureError } from './picture-error.ts';

/** Throws a `PictureError` if the picture cannot become an avatar. */
export type BuildPhoto = typeof buildInChild;

/** Progress when the pixels are done. The rest is the upload to the control plane. */
const BUILT_PERCENT = 95;

type BuilderParts = { blobs: Blobs; log: Log; buildPhoto?: BuildPhoto };

/** Downloads the picture blob, builds, and uploads the avatar's blobs. */
export const avatarBuilder =
  ({ blobs, log, buildPhoto = buildInChild }: BuilderParts): BuildAvatar =>
  async (order, { signal, onProgress }) => {
    try {
      const picture = await blobs.get(order.picture, signal);
      const wishes = { name: order.name, background: await backgroundOf(order, blobs, signal) };
      const avatar = await buildPhoto(picture, wishes, {
        signal,
        onProgress: (share) => onProgress(Math.floor(within(share) * BUILT_PERCENT)),
      });
      const [bundle, portrait] = await Promise.all(
        [avatar.bundle, avatar.portrait].map((bytes) => blobs.put(bytes, signal)),
      );
      return { bundle: bundle!, portrait: portrait! };
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      // A crash, not a judgement of the picture.
      if (error.cause) log.error({ ...order.placement, err: error }, 'avatar build crashed');
      return { reason: error.reason };
    }
  };

async function backgroundOf(
  { background, backgroundPicture }: Build,
  blobs: Blobs,
  signal: AbortSignal,
): Promise<Background> {
  if (backgroundPicture !== undefined) {
    return { kind: 'picture', picture: await blobs.get(backgroundPicture, signal) };
  }
  return background === 'blur' ? { kind: 'blur' } : { kind: 'colour', colour: background };
}

/** The child process has read an untrusted picture, so its numbers are clamped. */
const within = (share: number): number => Math.min(1, Math.max(0, share || 0));
