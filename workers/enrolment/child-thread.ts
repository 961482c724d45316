/*
 * Builds one avatar from an untrusted picture, in a thread of `child-process.ts`, which enforces
 * the limits.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { buildFromPhoto } from './build.ts';
import type { PhotoAnswer, PhotoRequest } from './child-messages.ts';
import { PictureError } from './picture-error.ts';

const { picturePath, wishes, bundlePath, portraitPath } = workerData as PhotoRequest;
const say = (answer: PhotoAnswer) => parentPort?.postMessage(answer, []);

say(await build());

async function build(): Promise<PhotoAnswer> {
  try {
    const made = await buildFromPhoto(await readFile(picturePath), wishes, (share) =>
      say({ type: 'progress', share }),
    );
    await writeFile(bundlePath, made.bundle);
    await writeFile(portraitPath, made.portrait);
    return { type: 'built' };
  } catch (error) {
    if (error instanceof PictureError) return { type: 'refused', reason: error.reason };
    throw error;
  }
}
