import { HEARD_RATE } from '../../../workers/agent/listening/user-audio.ts';

type Samples = Int16Array<ArrayBuffer>;

const PER_MS = HEARD_RATE / 1_000;
/** Quieter sound at the ends of synthesised speech is no speech. */
const FLOOR = 250;

export const silence = (ms: number): Samples => new Int16Array(Math.round(ms * PER_MS));

export const lengthMs = (samples: Samples): number => samples.length / PER_MS;

export function joined(...parts: readonly Samples[]): Samples {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const isSpeech = (sample: number): boolean => Math.abs(sample) > FLOOR;

/** Without the silence before and after the speech. */
export function trimmed(samples: Samples): Samples {
  return samples.slice(samples.findIndex(isSpeech), samples.findLastIndex(isSpeech) + 1);
}

/** Adds a sound, repeated, at so many decibels below the level of the speech. */
export function mixed(
  speech: Samples,
  other: Samples,
  decibelsBelow: number,
  level: number,
): Samples {
  const gain = (level / rms(other)) * 10 ** (-decibelsBelow / 20);
  return speech.map((sample, i) => {
    const sum = sample + other[i % other.length]! * gain;
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  });
}

export const rms = (samples: Samples): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

/** Pink-like noise of a street or a fan; the same in each run. */
export function noise(ms: number): Samples {
  let seed = 1;
  let low = 0;
  return silence(ms).map(() => {
    seed = (seed * 48_271) % 2_147_483_647;
    low = 0.97 * low + (seed / 2_147_483_647 - 0.5);
    return low * 12_000;
  });
}
