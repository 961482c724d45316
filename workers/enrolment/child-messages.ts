import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import type { PhotoWishes } from './build.ts';

export type PhotoLimits = {
  /** Limit for the whole build process. */
  memoryMiB: number;
  /** Processor time. A build comes last on a busy worker, which is not the picture's fault. */
  processorMs: number;
  /** Time until a process that hangs is killed. */
  withinMs: number;
};

/** From the parent to the build process. */
export type PhotoRequest = {
  picture: Uint8Array;
  wishes: PhotoWishes;
  limits: Pick<PhotoLimits, 'memoryMiB' | 'processorMs'>;
};

/** From the build process: any number of `progress`, then one of the others. */
export type PhotoAnswer =
  | { type: 'progress'; share: number }
  | { type: 'built'; bundle: Uint8Array; portrait: Uint8Array }
  | { type: 'refused'; reason: PictureProblem }
  /** It needed more memory than its limit. */
  | { type: 'out_of_memory' };
