import type { Utterance } from '../support/sound/rising-tone.ts';

/** Tolerance between heard speech and its position. A jitter buffer delays but does not change. */
export const HEARD_WITHIN_S = 0.05;

/** Heard minus said: beginning, end and length of a tone, in milliseconds. */
export const toneErrors = (utterance: Utterance | undefined, saidSeconds: number): number[] =>
  utterance
    ? [
        utterance.startSecond,
        utterance.endSecond - saidSeconds,
        utterance.seconds - saidSeconds,
      ].map((seconds) => 1_000 * seconds)
    : [Infinity];
