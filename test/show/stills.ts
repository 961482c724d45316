/* What simulated workers show: the built-in avatars. */
import { systemClock } from '#shared/clock.ts';
import { createCanvas, loadImage } from 'canvas';
import type { Sheet } from '#protocol/pictures/sheets.ts';
import { STILL_SIDE } from '#protocol/pictures/stills.ts';
import { builtInAvatars } from '../../src/avatars/built-in-avatars.ts';
import { BuiltInAvatars } from '../../workers/avatar/built-in-avatars.ts';
import { drawSheet } from '../../workers/avatar/pictures/draw-sheet.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';

/** Call it before the worker has a session. */
export async function showStills(worker: SimulatedWorker): Promise<void> {
  const builtIn = builtInAvatars();
  const stills = new Map<string, string>();
  for (const { id } of builtIn.all()) stills.set(id, await stillOf(builtIn.pictureFile(id)!));
  worker.still = ({ sessionId }) => stills.get(worker.performing.get(sessionId)!.avatarId)!;
}

/** As a real worker draws them. */
export async function drawSheets(worker: SimulatedWorker): Promise<void> {
  const avatars = await BuiltInAvatars.open(systemClock);
  const sheets = new Map<string, Sheet>();
  for (const id of avatars.ids) {
    const { bundle } = await avatars.show(id);
    sheets.set(id, await drawSheet(bundle.face));
  }
  await avatars.close();
  worker.sheet = (avatarId) => sheets.get(avatarId)!;
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
