import type { Sound } from '../../../workers/agent/voices/voice.ts';

const LOWEST_HZ = 70;
const HIGHEST_HZ = 400;
/** Of a window and its shifted copy; less periodic ones are unvoiced. */
const VOICED = 0.7;
const WINDOW_SECONDS = 0.04;

/** Median pitch of speech in hertz, by autocorrelation. */
export function pitchOf(sounds: readonly Sound[]): number {
  const pitches = sounds.flatMap((sound) => pitchesIn(sound)).toSorted((a, b) => a - b);
  return pitches[pitches.length >> 1] ?? 0;
}

function pitchesIn({ samples, sampleRate }: Sound): number[] {
  // Speech below 3 kHz tells the pitch at a third of the cost.
  const every = 3;
  const rate = sampleRate / every;
  const thinned = Float32Array.from({ length: Math.floor(samples.length / every) }, (_, i) => {
    const at = i * every;
    return samples[at]! + (samples[at + 1] ?? 0) + (samples[at + 2] ?? 0);
  });
  const size = Math.round(rate * WINDOW_SECONDS);
  const pitches: number[] = [];
  for (let at = 0; at + 2 * size < thinned.length; at += size) {
    const window = thinned.subarray(at, at + 2 * size);
    const lag = bestLag(window, size, rate);
    if (lag > 0) pitches.push(rate / lag);
  }
  return pitches;
}

/** The shortest lag that is about as good as the best: its multiples fit as well. 0: unvoiced. */
function bestLag(window: Float32Array, size: number, rate: number): number {
  const likeness: number[] = [];
  const longest = Math.min(size, Math.floor(rate / LOWEST_HZ));
  for (let lag = Math.ceil(rate / HIGHEST_HZ); lag <= longest; lag++)
    likeness[lag] = likenessAt(window, size, lag);
  const best = Math.max(...likeness.filter((value) => value !== undefined));
  if (best < VOICED) return 0;
  return likeness.findIndex(
    (value, lag) =>
      value >= best - 0.05 &&
      value >= (likeness[lag - 1] ?? 0) &&
      value >= (likeness[lag + 1] ?? 0),
  );
}

function likenessAt(window: Float32Array, size: number, lag: number): number {
  let [product, first, second] = [0, 0, 0];
  for (let i = 0; i < size; i++) {
    product += window[i]! * window[i + lag]!;
    first += window[i]! ** 2;
    second += window[i + lag]! ** 2;
  }
  return product / Math.sqrt(first * second || 1);
}
