/* Noises to mix with speech, the same on each run. */
import { chords } from '../../support/sound/vowels.ts';

/** xorshift32, uniform in -1..1. */
function* uniform(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state / 2 ** 31;
  }
}

function white(length: number): Float64Array {
  const draws = uniform(19);
  const draw = () => draws.next().value;
  // The sum of four uniform values is close enough to a normal distribution.
  return Float64Array.from({ length }, () => draw() + draw() + draw() + draw());
}

/** White noise through Paul Kellet's three-pole filter: -3 dB per octave. */
function pink(length: number): Float64Array {
  let [a, b, c] = [0, 0, 0];
  return white(length).map((value) => {
    a = 0.99765 * a + value * 0.099046;
    b = 0.963 * b + value * 0.2965164;
    c = 0.57 * c + value * 1.0526913;
    return a + b + c + value * 0.1848;
  });
}

const music = (length: number) => Float64Array.from(chords((length * 1000) / 16_000, 0.5));

const NOISES = { white, pink, music };
export type NoiseName = keyof typeof NOISES;

/** Mixes `samples` with noise at a level relative to the speech, which `isSpeech` locates. */
export function over(
  name: NoiseName,
  snrDb: number,
  samples: Int16Array,
  isSpeech: (sample: number) => boolean,
): Int16Array {
  const noise = NOISES[name](samples.length);
  const speech = samples.filter((_, i) => isSpeech(i));
  const gain = (loudness(speech) / loudness(noise)) * 10 ** (-snrDb / 20);
  return samples.map((sample, i) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample + gain * noise[i]!))),
  );
}

function loudness(samples: Int16Array | Float64Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}
