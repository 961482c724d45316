/*
 * Loads the set of test/fixtures/lipsync: sounds, labels, voices, and the weights trained without
 * some of the voices.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readWave } from '../../../workers/studio/wave-file.ts';
import { readWeights, type Weights } from '../../../workers/avatar/lipsync/network.ts';
import type { Label } from './lipsync-score.ts';

const SET = path.join(import.meta.dirname, '../../fixtures/lipsync');
const FOLDS = path.join(SET, 'folds');

/** Mono, full scale 1. */
export type Speech = { label: Label; sound: Float32Array; sampleRate: number };
export type Fold = { without: string[]; weights: Weights };

export function readSpeech(): Speech[] {
  return readFileSync(path.join(SET, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label)
    .map((label) => {
      const { pcm, sampleRate } = readWave(path.join(SET, label.file));
      const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.byteLength / 2);
      return { label, sampleRate, sound: Float32Array.from(samples, (each) => each / 32_768) };
    });
}

/** A file's name lists the voices excluded from its training: VOICE+VOICE+VOICE.json. */
export function readFolds(): Fold[] {
  if (!existsSync(FOLDS)) throw new Error(`${FOLDS} contains no weights`);
  return readdirSync(FOLDS).map((file) => ({
    without: path.basename(file, '.json').split('+'),
    weights: readWeights(path.join(FOLDS, file)),
  }));
}

/** The first `count` files of each voice. */
export function someOfEach(speeches: Speech[], count: number): Speech[] {
  const counts = new Map<string, number>();
  return speeches.filter(({ label: { voice } }) => {
    counts.set(voice, (counts.get(voice) ?? 0) + 1);
    return counts.get(voice)! <= count;
  });
}
