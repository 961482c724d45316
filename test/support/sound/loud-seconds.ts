import { LOUD } from './rising-tone.ts';

/** Seconds, in tenths that have a sample louder than noise. `rate`: in Hz. */
export function loudSeconds(samples: Int16Array, rate: number): number {
  const syllable = rate / 10;
  let loud = 0;
  for (let at = 0; at < samples.length; at += syllable)
    if (samples.subarray(at, at + syllable).some((sample) => Math.abs(sample) > LOUD)) loud += 1;
  // Adding tenths would not give the same sum each time.
  return loud / 10;
}
