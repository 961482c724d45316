import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { looksIn } from '../../../../workers/studio/looks.ts';
import { readWave, type Wave } from '../../../../workers/studio/wave-file.ts';
import { readWeights, type Weights } from '../../../../workers/avatar/lipsync/network.ts';
import { Resampler } from '../../../../workers/avatar/speech/resample.ts';
import { type Label, score } from '../../../bench/lipsync/lipsync-score.ts';
import { chords, noise } from '../../../support/sound/vowels.ts';

const SET = path.join(import.meta.dirname, '../../../fixtures/lipsync');
const SECONDS = 12;
const AHEAD_MS = 60;
/** Weights trained without these voices. */
const strangers = readWeights(path.join(SET, 'folds/hts-slt+festival-lj+espeak-m3.json'));
const labels = readFileSync(path.join(SET, 'labels.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Label);

const man = speechOf('flite-rms_en_00.flac');
const woman = speechOf('hts-slt_en_00.flac');
const inMusic = speechOf('hts-slt_en_01.flac');
const robot = speechOf('espeak-m3_en_00.flac');

describe('mouth track of real speech', () => {
  test.each([
    ['as it is', (samples: Int16Array) => samples],
    ['very quiet', (samples: Int16Array) => scaled(samples, 0.02)],
    ['very loud', (samples: Int16Array) => scaled(samples, 4)],
    ['clipped', (samples: Int16Array) => scaled(samples, 16)],
    ['over noise', (samples: Int16Array) => mixed(samples, noiseLike(samples), 0.03)],
    ['over another voice far away', (samples: Int16Array) => mixed(samples, woman.samples, 0.08)],
  ])('is followed %s', (_, change) => {
    const scores = scoresOf({ ...man, samples: change(man.samples) });

    expect(scores.macroF1).toBeGreaterThan(0.6);
    expect(scores.openR).toBeGreaterThan(0.7);
  });

  test.each([8000, 16_000, 44_100, 48_000])('follows speech at %i Hz', (rate) => {
    const scores = scoresOf({ ...man, samples: resampled(man.samples, rate), rate });

    expect(scores.macroF1).toBeGreaterThan(0.6);
    expect(scores.closureF1).toBeGreaterThan(0.6);
  });

  test.each([man, woman])('closes for p, b and m in $name', (speech) => {
    const scores = scoresOf(speech);

    expect(scores.closureF1).toBeGreaterThan(0.75);
    expect(scores.falseOpen).toBeLessThan(0.01);
  });

  test('stays shut in the pauses of an unknown voice over music', () => {
    const music = chords((inMusic.samples.length * 1000) / 16_000, 0.1);

    const scores = scoresOf({ ...inMusic, samples: mixed(inMusic.samples, music, 0.3) }, strangers);

    expect(scores.falseOpen).toBe(0);
    expect(scores.openR).toBeGreaterThan(0.84);
  });

  test('does not take the silence within a stop of an unknown voice for a pause', () => {
    const scores = scoresOf(robot, strangers);

    expect(scores.macroF1).toBeGreaterThan(0.9);
    expect(scores.openR).toBeGreaterThan(0.9);
  });

  test('uses no audio beyond its look-ahead', () => {
    const cutMs = 5000;
    const cut = man.samples.slice();
    cut.fill(0, (cutMs * man.rate) / 1000);

    const knownLooks = (cutMs - AHEAD_MS) / 40;
    expect(looksOf(cut, man.rate).slice(0, knownLooks)).toEqual(
      looksOf(man.samples, man.rate).slice(0, knownLooks),
    );
  });

  test.each([
    ['noise', noise(8000, 0.1)],
    ['music', chords(8000, 0.1)],
  ])('stays shut on %s', (_, samples) => {
    const looks = looksOf(samples, 16_000);

    const open = looks.slice(12).filter(({ opening }) => opening > 0.15);
    expect(open.length).toBeLessThan(looks.length * 0.02);
  });
});

type Speech = { name: string; label: Label; samples: Int16Array; rate: number };

function speechOf(file: string): Speech {
  const label = labels.find((label) => label.file.endsWith(file))!;
  const { pcm, sampleRate } = readWave(path.join(SET, label.file));
  const samples = new Int16Array(pcm.buffer, 0, SECONDS * sampleRate);
  const segs = label.segs.filter(([, end]) => end < SECONDS - 0.1);
  return {
    name: label.voice,
    label: { ...label, segs, duration: segs.at(-1)![1] },
    samples,
    rate: sampleRate,
  };
}

function scoresOf({ label, samples, rate }: Speech, weights?: Weights) {
  const frames = looksOf(samples, rate, weights).map(({ viseme, opening }) => ({
    viseme,
    open: opening,
  }));
  return score([{ label, frames }]);
}

function looksOf(samples: Int16Array, sampleRate: number, weights?: Weights) {
  const wave: Wave = { sampleRate, channels: 1, pcm: bytesOf(samples) };
  return looksIn(wave, { fps: 25, aheadMs: AHEAD_MS, weights });
}

function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

function resampled(samples: Int16Array, rate: number): Int16Array {
  const resampler = new Resampler(man.rate, 1, rate);
  return Int16Array.from([...resampler.push(bytesOf(samples)), ...resampler.flush()]);
}

const limited = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)));
const scaled = (samples: Int16Array, gain: number) =>
  samples.map((sample) => limited(sample * gain));
const mixed = (samples: Int16Array, background: Int16Array, gain: number) =>
  samples.map((sample, i) => limited(sample + gain * background[i % background.length]!));
const noiseLike = (samples: Int16Array) => noise((samples.length * 1000) / 16_000, 1);
