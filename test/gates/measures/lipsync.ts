import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { looksIn } from '../../../workers/studio/looks.ts';
import { readWave, type Wave } from '../../../workers/studio/wave-file.ts';
import { readWeights, type Weights } from '../../../workers/avatar/lipsync/network.ts';
import {
  type LabelledFrames,
  type Label,
  score,
  type Scores,
} from '../../bench/lipsync/lipsync-score.ts';
import type { Figures } from '../baseline.ts';
import { type NoiseName, over } from './noises.ts';

const FIXTURES = path.join(import.meta.dirname, '../../fixtures');
const HELD_OUT = path.join(FIXTURES, 'held-out');
const SET = path.join(FIXTURES, 'lipsync');
/** Speech usually arrives this far ahead of its picture. */
const AHEAD_MS = 60;
const LAGS_MS = [-120, -80, -40, 0, 40, 80, 120];
const NOISES: [NoiseName, snrDb: number][] = [
  ['white', 20],
  ['white', 10],
  ['pink', 10],
  ['music', 10],
];

/** The shipped weights, on voices and sentences absent from all training. */
export function heldOutSpeech(): LabelledFrames[] {
  return labelsIn(HELD_OUT).map((label) => heard(label, waveOf(HELD_OUT, label)));
}

/** Delay of the mouth: the shift of the labels that fits best. */
export function lagMs(performances: LabelledFrames[]): number {
  const fits = LAGS_MS.map((lag) =>
    score(
      performances.map((performance) => ({ ...performance, label: shifted(performance, lag) })),
    ),
  );
  const best = (figure: 'macroF1' | 'openR') =>
    LAGS_MS[fits.findIndex((fit) => fit[figure] === Math.max(...fits.map((f) => f[figure])))]!;
  const [ofClasses, ofOpening] = [best('macroF1'), best('openR')];
  return Math.abs(ofClasses) > Math.abs(ofOpening) ? ofClasses : ofOpening;
}

/** The scored speech by the name of its condition. `clean` is called when needed. */
export function lipSyncConditions(
  clean: () => LabelledFrames[],
): Map<string, () => LabelledFrames[]> {
  const voices = [...new Set(labelsIn(HELD_OUT).map(({ voice }) => voice))];
  return new Map<string, () => LabelledFrames[]>([
    ['clean', clean],
    ...voices.map((voice): [string, () => LabelledFrames[]] => [
      voice,
      () => clean().filter(({ label }) => label.voice === voice),
    ]),
    ...NOISES.map(([noise, snrDb]): [string, () => LabelledFrames[]] => [
      `${noise} ${snrDb} dB`,
      () => inNoise(noise, snrDb),
    ]),
    ['early 20 ms', () => labelsIn(HELD_OUT).map((l) => heard(l, waveOf(HELD_OUT, l), 20))],
  ]);
}

export function lipSyncFigures(): Figures {
  const clean = heldOutSpeech();
  const conditions = [...lipSyncConditions(() => clean)];
  return Object.assign({}, ...conditions.map(([name, speech]) => named(name, score(speech()))));
}

/** The folds of the development set, by the voices that their weights were trained without. */
export function folds(): string[] {
  return readdirSync(path.join(SET, 'folds')).map((file) => path.basename(file, '.json'));
}

/** Scores on the voices that the fold was trained without. */
export function foldFigures(fold: string): Figures {
  const weights = readWeights(path.join(SET, 'folds', `${fold}.json`));
  const unheard = labelsIn(SET).filter(({ voice }) => fold.split('+').includes(voice));
  const performances = unheard.map((label) => heard(label, waveOf(SET, label), AHEAD_MS, weights));
  return named(fold, score(performances));
}

function inNoise(noise: NoiseName, snrDb: number): LabelledFrames[] {
  return labelsIn(HELD_OUT).map((label) => {
    const wave = waveOf(HELD_OUT, label);
    const samples = new Int16Array(wave.pcm.buffer, wave.pcm.byteOffset, wave.pcm.length / 2);
    const isSpeech = (sample: number) => {
      const at = sample / wave.sampleRate;
      return label.segs.some(([start, end, viseme]) => viseme !== 'sil' && at >= start && at < end);
    };
    const noisy = over(noise, snrDb, samples, isSpeech);
    return heard(label, { ...wave, pcm: new Uint8Array(noisy.buffer) });
  });
}

function heard(label: Label, wave: Wave, aheadMs = AHEAD_MS, weights?: Weights): LabelledFrames {
  const looks = looksIn(wave, { fps: 25, aheadMs, weights });
  return { label, frames: looks.map(({ viseme, opening }) => ({ viseme, open: opening })) };
}

function shifted({ label }: LabelledFrames, lag: number): Label {
  const segs = label.segs.map(([start, end, ...rest]) => [
    start + lag / 1000,
    end + lag / 1000,
    ...rest,
  ]);
  return { ...label, segs: segs as Label['segs'] };
}

function labelsIn(folder: string): Label[] {
  const lines = readFileSync(path.join(folder, 'labels.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Label);
}

const waveOf = (folder: string, { file }: Label) => readWave(path.join(folder, file));

const KEPT = [
  'macroF1',
  'strictF1',
  'closureF1',
  'openR',
  'openRSpeech',
] satisfies (keyof Scores)[];

export function named(name: string, scores: Scores): Figures {
  return Object.fromEntries(KEPT.map((key) => [`${name}: ${key}`, round(scores[key])]));
}

const round = (figure: number) => Number(figure.toFixed(4));
