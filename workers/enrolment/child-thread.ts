/*
 * Builds one avatar from an untrusted picture, in a thread of `child-process.ts`, which enforces
 * the limits.
 */
import { parentPort } from 'node:worker_threads';
import { buildFromPhoto, openModels } from './build.ts';
import type { PhotoAnswer, PhotoRequest } from './child-messages.ts';
import { PictureError } from './picture-error.ts';

const say = (answer: PhotoAnswer) => parentPort?.postMessage(answer, []);

// Nothing is loaded later: the process then has another user.
const models = await openModels();
parentPort?.once('message', async (request: PhotoRequest) => say(await build(request)));
parentPort?.postMessage('loaded', []);

async function build({ picture, wishes }: PhotoRequest): Promise<PhotoAnswer> {
  try {
    const onProgress = (share: number) => say({ type: 'progress', share });
    return { type: 'built', ...(await buildFromPhoto(picture, wishes, models, onProgress)) };
  } catch (error) {
    if (error instanceof PictureError) return { type: 'refused', reason: error.reason };
    throw error;
  }
}
