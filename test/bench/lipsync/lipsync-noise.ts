/*
 * Speech with noise and music, and both alone, after the recipes of
 * test/fixtures/lipsync/make_conditions.py. A different generator is used: the result is the same
 * in every run, but not identical to the script's.
 */
import { chanceOf } from '../../chaos/schedule.ts';
import type { Speech } from './lipsync-set.ts';

export const NOISES = ['white', 'pink', 'music'] as const;
type Noise = (typeof NOISES)[number];

const ALONE_SECONDS = 16;
const ALONE_DB: Record<Noise, number> = { white: -35, pink: -35, music: -22 };
const LOUDEST = 0.97;

/** `snrDb` is relative to the speech without its pauses. */
export function over(speech: Speech, noise: Noise, snrDb: number): Speech {
  const { label, sound, sampleRate } = speech;
  let [power, spokenCount] = [0, 0];
  for (const [start, end, viseme] of label.segs) {
    if (viseme === 'sil') continue;
    for (let i = Math.trunc(start * sampleRate); i < Math.trunc(end * sampleRate); i++) {
      power += (sound[i] ?? 0) ** 2;
      spokenCount += 1;
    }
  }
  const gain = Math.sqrt(power / Math.max(1, spokenCount)) * 10 ** (-snrDb / 20);
  const added = makeNoise(noise, sound.length, sampleRate, label.file);
  const mixed = sound.map((sample, i) => sample + gain * added[i]!);
  const peak = mixed.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const scale = Math.min(1, LOUDEST / peak);
  return { ...speech, sound: mixed.map((sample) => sample * scale) };
}

/** Noise without speech: the mouth should stay shut. */
export function alone(noise: Noise, sampleRate: number): Speech {
  const gain = 10 ** (ALONE_DB[noise] / 20);
  const sound = makeNoise(noise, ALONE_SECONDS * sampleRate, sampleRate, 'alone');
  return {
    sampleRate,
    sound: sound.map((sample) => Math.max(-1, Math.min(1, sample * gain))),
    label: {
      file: `nonspeech_${noise}`,
      voice: 'none',
      condition: `nonspeech_${noise}`,
      duration: ALONE_SECONDS,
      segs: [[0, ALONE_SECONDS, 'sil', [], 0]],
    },
  };
}

/** Standard deviation 1. */
export function makeNoise(
  noise: Noise,
  count: number,
  sampleRate: number,
  seed: string,
): Float32Array {
  const random = randomFrom(`${seed}/${noise}`);
  const sound =
    noise === 'white'
      ? Float32Array.from({ length: count }, () => normal(random))
      : noise === 'pink'
        ? pink(random, count)
        : music(random, count, sampleRate);
  const power = sound.reduce((sum, sample) => sum + sample ** 2, 0) / count;
  return sound.map((sample) => sample / Math.sqrt(power));
}

/** Paul Kellet's filter: within 0.05 dB of -3 dB per octave above 10 Hz. */
function pink(random: () => number, count: number): Float32Array {
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616];
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898];
  const state = new Float64Array(poles.length);
  let late = 0;
  return Float32Array.from({ length: count }, () => {
    const white = normal(random);
    let sum = white * 0.5362 + late;
    for (let i = 0; i < poles.length; i++) {
      state[i] = poles[i]! * state[i]! + gains[i]! * white;
      sum += state[i]!;
    }
    late = white * 0.115926;
    return sum;
  });
}

const SCALE = [0, 2, 4, 5, 7, 9, 11];

/** Every 0.6 s a new chord of three notes with five partials each, a bass and a soft beat. */
function music(random: () => number, count: number, sampleRate: number): Float32Array {
  const sound = new Float32Array(count);
  const below = (most: number) => Math.floor(random() * most);
  for (let from = 0; from < count; from += 0.6 * sampleRate) {
    const root = below(7);
    const notes = [0, 2, 4].map(
      (step) => 220 * 2 ** ((SCALE[(root + step) % 7]! + 12 * below(2)) / 12),
    );
    const partials = notes.flatMap((hertz) =>
      [1, 2, 3, 4, 5].map((n) => ({ hertz: hertz * n, gain: 1 / n, phase: random() * 6 })),
    );
    const bass = 55 * 2 ** (SCALE[root]! / 12);
    const until = Math.min(count, from + 0.9 * sampleRate);
    for (let i = from; i < until; i++) {
      const t = (i - from) / sampleRate;
      const fade = Math.exp(-t * 2.2) * Math.min(1, t / 0.01);
      let sum = 1.5 * Math.sin(2 * Math.PI * bass * t) * Math.exp(-t * 3);
      sum += 0.6 * normal(random) * Math.exp(-t * 60);
      for (const { hertz, gain, phase } of partials)
        sum += gain * fade * Math.sin(2 * Math.PI * hertz * t + phase);
      sound[i] = sound[i]! + sum;
    }
  }
  return sound;
}

/** Box-Muller transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Seeded by a text (FNV-1a). */
function randomFrom(seed: string): () => number {
  let hash = 2_166_136_261;
  for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  return chanceOf(hash);
}
