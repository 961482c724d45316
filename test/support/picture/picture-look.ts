import { decoded } from './i420.ts';
import { lookOfFrame, type Look } from './likeness.ts';

/** From an image file of any format. */
export async function lookOfPicture(file: Uint8Array): Promise<Look> {
  const { width, height, rgba } = await decoded(file);
  const light = new Uint8Array(width * height);
  for (let i = 0; i < light.length; i++) {
    light[i] = 0.299 * rgba[4 * i]! + 0.587 * rgba[4 * i + 1]! + 0.114 * rgba[4 * i + 2]!;
  }
  return lookOfFrame(light, width, height);
}
