import type { PictureProblem } from '#protocol/picture-problems.ts';
import type { PhotoWishes } from './build.ts';

export type PhotoLimits = {
  /** Of the whole process that builds. */
  memoryMiB: number;
  withinMs: number;
};

/** What the process that builds is asked for. */
export type PhotoRequest = {
  picturePath: string;
  wishes: PhotoWishes;
  bundlePath: string;
  portraitPath: string;
  memoryMiB: number;
};

/** What it answers: any number of the first, then one of the others. */
export type PhotoAnswer =
  | { type: 'progress'; share: number }
  | { type: 'built' }
  | { type: 'refused'; reason: PictureProblem };
