import type { PictureKind } from '#protocol/pictures/picture-kinds.ts';
import { filledUpPng } from './png-end.ts';
import { filledUpWebp } from './webp-end.ts';

/**
 * A file that ends early, at its full length, if its decoder reads no incomplete one of this kind.
 * Else the same file.
 */
export function filledUp(kind: PictureKind, bytes: Uint8Array, value = 0): Uint8Array {
  if (kind === 'webp') return filledUpWebp(bytes, value);
  return kind === 'png' ? filledUpPng(bytes, value) : bytes;
}
