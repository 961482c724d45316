import type { Utterance } from '../support/sound/rising-tone.ts';

/** Tolerance between what a viewer heard of a speech and its position. A jitter buffer delays sound but does not change it. */
export const HEARD_WITHIN_S = 0.05;

/** Differences between a heard tone and the one that was said: beginning, end and length, in milliseconds. */
export const toneErrors = (utterance: Utterance | undefined, saidSeconds: number): number[] =>
  utterance
    ? [
        utterance.startSecond,
        utterance.endSecond - saidSeconds,
        utterance.seconds - saidSeconds,
      ].map((seconds) => 1_000 * seconds)
    : [Infinity];
