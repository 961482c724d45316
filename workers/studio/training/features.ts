/*
 * Writes the network's input for sound files, computed by the worker's own code, for train.py:
 *   tsx features.ts NAMES.txt
 * NAMES.txt lists mono 16-bit 24 kHz FILE.pcm; each is replaced by FILE.features (32-bit floats, a
 * row per 10 ms).
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Resampler } from '../../avatar/speech/resample.ts';
import { FEATURES, Features } from '../../avatar/lipsync/features.ts';
import { WINDOW_SAMPLES } from '../../avatar/lipsync/spectrum.ts';
import { HEARING_RATE } from '#protocol/audio.ts';

const HOP = 160;

for (const file of readFileSync(process.argv[2]!, 'utf8').trim().split('\n')) {
  const resampler = new Resampler(24_000, 1, HEARING_RATE);
  const parts = [resampler.push(readFileSync(file)), resampler.flush()];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const sound = new Float32Array(WINDOW_SAMPLES - HOP + length);
  let at = WINDOW_SAMPLES - HOP;
  for (const part of parts) for (const sample of part) sound[at++] = sample / 32_768;
  const rows = new Float32Array(Math.floor(length / HOP) * FEATURES);
  const features = new Features();
  for (let row = 0; row * FEATURES < rows.length; row++) {
    features.follow(sound.subarray(row * HOP, row * HOP + WINDOW_SAMPLES));
    rows.set(features.values, row * FEATURES);
  }
  writeFileSync(file.replace(/\.pcm$/, '.features'), rows);
  rmSync(file);
}
