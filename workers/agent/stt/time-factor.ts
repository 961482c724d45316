import type { Clock } from '#shared/clock.ts';
import type { Sound } from '../voices/voice.ts';
import type { Recognizer } from './recognizer-program.ts';

const RUNS = 3;

/** Median processing time per second of `speech`. Throws if it is not understood at all. */
export async function measuredTimeFactor(
  recognizer: Recognizer,
  { samples, sampleRate }: Sound,
  clock: Clock,
): Promise<number> {
  const speech = Float32Array.from(samples, (sample) => sample / 32_768);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = clock.elapsed();
    const { text } = await recognizer.recognize(speech, sampleRate);
    if (text === '') throw new Error('the speech model understands nothing');
    times.push(clock.elapsed() - startedAt);
  }
  const medianMs = times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)]!;
  return medianMs / 1000 / (samples.length / sampleRate);
}
