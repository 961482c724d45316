/* What simulated workers show: the pictures of the built-in avatars, from nearer. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { STILL_SIDE } from '#protocol/stills.ts';
import { builtInAvatars } from '../../src/avatars/built-in-avatars.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';

/** Call it before the worker has a session. */
export async function showStills(worker: SimulatedWorker): Promise<void> {
  const builtIn = builtInAvatars();
  const stills = new Map<string, string>();
  for (const { id } of builtIn.all()) stills.set(id, await stillOf(builtIn.pictureFile(id)!));
  worker.still = ({ sessionId }) => stills.get(worker.performing.get(sessionId)!.avatarId)!;
}

async function stillOf(file: string): Promise<string> {
  const portrait = await loadImage(file);
  const canvas = createCanvas(STILL_SIDE, STILL_SIDE);
  const margin = portrait.width / 8;
  const side = portrait.width - 2 * margin;
  canvas
    .getContext('2d')
    .drawImage(portrait, margin, margin, side, side, 0, 0, STILL_SIDE, STILL_SIDE);
  return canvas.toBuffer('image/jpeg').toString('base64');
}
