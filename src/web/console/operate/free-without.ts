import type { Worker } from '../../../clients/typescript/src/generated/models.ts';

/** Free slots of the worker's pool and kind that stay when it takes no more sessions. */
export const freeWithout = (worker: Worker, otherWorkers: readonly Worker[]): number =>
  otherWorkers
    .filter(
      ({ kind, pool, state }) => kind === worker.kind && pool === worker.pool && isOpen(state),
    )
    .reduce((free, { slots, taken }) => free + Math.max(0, slots - taken), 0);

const isOpen = (state: Worker['state']): boolean => state === 'ready' || state === 'resting';
