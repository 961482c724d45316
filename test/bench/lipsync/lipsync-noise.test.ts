import { describe, expect, test } from 'vitest';
import { alone, makeNoise, NOISES, over } from './lipsync-noise.ts';
import type { Speech } from './lipsync-set.ts';

const RATE = 24_000;
const tone: Speech = {
  sampleRate: RATE,
  sound: Float32Array.from({ length: 2 * RATE }, (_, i) =>
    i < RATE ? 0.2 * Math.sin((2 * Math.PI * 220 * i) / RATE) : 0,
  ),
  label: {
    file: 'tone',
    voice: 'tone',
    condition: 'clean',
    duration: 2,
    segs: [
      [0, 1, 'aa', [], 1],
      [1, 2, 'sil', [], 0],
    ],
  },
};

const power = (sound: Float32Array) =>
  sound.reduce((sum, each) => sum + each ** 2, 0) / sound.length;

/** The difference of neighbouring samples weights power by the square of the frequency. */
const high = (sound: Float32Array) => power(sound.map((each, i) => each - (sound[i - 1] ?? 0)));

describe('noise for the lip-sync set', () => {
  test.each(NOISES)('%s has the stated level', (noise) => {
    const mixed = over(tone, noise, 10).sound;
    const added = mixed.map((sample, i) => sample - tone.sound[i]!);

    const snr = 10 * Math.log10(power(tone.sound.subarray(0, RATE)) / power(added));

    expect(snr).toBeCloseTo(10, 3);
  });

  test.each(NOISES)('%s is the same in every run', (noise) => {
    expect(makeNoise(noise, 1_000, RATE, 'a')).toEqual(makeNoise(noise, 1_000, RATE, 'a'));
    expect(makeNoise(noise, 1_000, RATE, 'a')).not.toEqual(makeNoise(noise, 1_000, RATE, 'b'));
  });

  test('pink noise is darker than white noise', () => {
    const sound = makeNoise('pink', 2 ** 17, RATE, 'slope');

    const white = makeNoise('white', 2 ** 17, RATE, 'slope');
    expect(high(white)).toBeCloseTo(2, 1);
    expect(high(sound)).toBeLessThan(0.5);
  });

  test.each(NOISES)('%s alone has no speech in its labels', (noise) => {
    const { label, sound, sampleRate } = alone(noise, RATE);

    expect(label.segs.map(([, , viseme]) => viseme)).toEqual(['sil']);
    expect(sound.length / sampleRate).toBe(label.duration);
  });
});
