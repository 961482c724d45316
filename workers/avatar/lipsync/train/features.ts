/*
 * Writes what the network is shown of sound files, by the worker's own code, for train.py:
 *   tsx features.ts NAMES.txt     a list of mono 16-bit 24 kHz FILE.pcm; each gets its FILE.features (32-bit floats, a row per 10 ms)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Resampler } from '../../speech/resample.ts';
import { FEATURES, Features } from '../features.ts';
import { BANDS, Spectrum, WINDOW_SAMPLES } from '../spectrum.ts';

const HOP = 160;
const spectrum = new Spectrum();
const bands = new Float64Array(BANDS);

for (const file of readFileSync(process.argv[2]!, 'utf8').trim().split('\n')) {
  const resampler = new Resampler(24_000, 1, 16_000);
  const samples = [...resampler.push(readFileSync(file)), ...resampler.flush()];
  const before = WINDOW_SAMPLES - HOP;
  const sound = new Float32Array(before + samples.length);
  samples.forEach((sample, i) => (sound[before + i] = sample / 32_768));
  const rows = new Float32Array(Math.floor(samples.length / HOP) * FEATURES);
  const features = new Features();
  for (let row = 0; row * FEATURES < rows.length; row++) {
    spectrum.measure(sound.subarray(row * HOP, row * HOP + WINDOW_SAMPLES), bands);
    features.follow(bands);
    rows.set(features.values, row * FEATURES);
  }
  writeFileSync(file.replace(/\.pcm$/, '.features'), rows);
}
