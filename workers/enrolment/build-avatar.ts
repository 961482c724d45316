import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Build } from '#protocol/gateway-messages.ts';
import type { Blobs } from '../runtime/blobs.ts';
import type { BuildAvatar } from '../runtime/builds.ts';
import type { Background } from './background/background.ts';
import { buildInChild } from './child.ts';
import { PictureError } from './picture-error.ts';

/**
 * Writes a bundle and a portrait. Throws a `PictureError` if the picture cannot become an avatar.
 */
export type BuildPhoto = typeof buildInChild;

/** Progress when the pixels are done. The rest is the upload to the control plane. */
const BUILT_PERCENT = 95;

/**
 * Downloads the picture blob, builds, and uploads the avatar's blobs. Each build has its own
 * temporary folder.
 */
export const avatarBuilder =
  (blobs: Blobs, buildPhoto: BuildPhoto = buildInChild): BuildAvatar =>
  async (order, { signal, onProgress }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-build-'));
    try {
      const picturePath = path.join(folder, 'picture');
      await writeFile(picturePath, await blobs.get(order.picture, signal), { mode: 0o600 });
      const wishes = { name: order.name, background: await backgroundOf(order, blobs, signal) };
      const made = await buildPhoto(picturePath, wishes, {
        outFolder: folder,
        signal,
        onProgress: (share) => onProgress(Math.floor(within(share) * BUILT_PERCENT)),
      });
      const put = async (file: string) => blobs.put(await readFile(file), signal);
      const [bundle, portrait] = await Promise.all([put(made.bundle), put(made.portrait)]);
      return { bundle, portrait };
    } catch (error) {
      if (error instanceof PictureError) return { reason: error.reason };
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
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
