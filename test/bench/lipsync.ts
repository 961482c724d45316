/*
 * The mouth against the set of test/fixtures/lipsync, in its own code path, each voice heard by weights that were trained without it; beside
 * it other libraries on the same files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { looksIn } from '../../workers/avatar/commands/looks.ts';
import { readWave, type Wave } from '../../workers/avatar/commands/wave-file.ts';
import { readWeights, type Weights } from '../../workers/avatar/lipsync/network.ts';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import { type Heard, type Label, score, type Scores } from './lipsync-score.ts';
import {
  type Example,
  headAudio,
  HEARING_RATE,
  type LipSyncer,
  wawa,
  wLipSync,
} from './other-lipsync.ts';
import type { Row } from './rows.ts';

const SET = path.join(import.meta.dirname, '../fixtures/lipsync');
const FOLDS = path.join(SET, 'folds');
const AHEAD_MS = [60, 20];
/** As many clear vowels of a kind as wLipSync's users would speak, and more. */
const EXAMPLES_OF_EACH = 40;

type Goal = { what: string; figure: keyof Scores; least?: number; most?: number };
const GOALS: Goal[] = [
  { what: 'macro-F1', figure: 'macroF1', least: 0.78 },
  { what: 'strict F1', figure: 'strictF1', least: 0.62 },
  { what: 'closure F1', figure: 'closureF1', least: 0.77 },
  { what: 'f/v F1', figure: 'lipOnTeethF1', least: 0.5 },
  { what: 'opening r', figure: 'openR', least: 0.83 },
  { what: 'opening r in speech', figure: 'openRSpeech', least: 0.73 },
  { what: 'false opening in pauses', figure: 'falseOpen', most: 0.005 },
];

type Fold = { without: string[]; weights: Weights };

export const lipSync = async (): Promise<Row[]> => {
  const folds = readFolds();
  const labels = readFileSync(path.join(SET, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label);
  const sounds = new Map(labels.map(({ file }) => [file, readWave(path.join(SET, file))]));
  const rows: Row[] = [];

  for (const aheadMs of AHEAD_MS) {
    const heard = folds.flatMap(({ without, weights }) =>
      labels
        .filter(({ voice }) => without.includes(voice))
        .map((label) => ({
          label,
          frames: looksIn(sounds.get(label.file)!, { fps: 25, aheadMs, weights }).map(
            ({ viseme, opening }) => ({ viseme, open: opening }),
          ),
        })),
    );
    rows.push(...rowsOf(`at ${aheadMs} ms look-ahead`, heard, aheadMs === AHEAD_MS[0]));
  }

  const wide = new Map(labels.map(({ file }) => [file, fullScale(sounds.get(file)!)]));
  const hear = (lipSyncer: LipSyncer, of: Label[]): Heard[] =>
    of.map((label) => ({ label, frames: lipSyncer(wide.get(label.file)!) }));
  const ofW = folds.flatMap(({ without }) => {
    const others = labels.filter(({ voice }) => !without.includes(voice));
    const own = labels.filter(({ voice }) => without.includes(voice));
    return hear(wLipSync(examplesOf(others, wide)), own);
  });
  const byOthers: [string, Heard[]][] = [
    ['wawa-lipsync', hear(await wawa(), labels)],
    ['headaudio', hear(await headAudio(), labels)],
    ['wlipsync', ofW],
  ];
  for (const [name, heard] of byOthers) rows.push(...rowsOf(`by ${name}`, heard, false, name));
  return rows;
};

function rowsOf(how: string, heard: Heard[], isJudged: boolean, whose = 'mouth'): Row[] {
  const scores = score(heard);
  return GOALS.map(({ what, figure, least, most }) => {
    const value = scores[figure];
    return {
      what: `${what}, ${how}`,
      whose,
      avatar: value.toFixed(3),
      floor: 'none',
      goal: !isJudged ? 'none' : most === undefined ? `>= ${least}` : `<= ${most}`,
      isMet: !isJudged || (value >= (least ?? -1) && value <= (most ?? 1)),
      // What was heard does not depend on how busy the machine is.
      pressure: 0,
    };
  });
}

/** Each file's name says which voices its weights were trained without: VOICE+VOICE+VOICE.json. */
function readFolds(): Fold[] {
  if (!existsSync(FOLDS)) throw new Error(`${FOLDS} holds no weights`);
  return readdirSync(FOLDS).map((file) => ({
    without: path.basename(file, '.json').split('+'),
    weights: readWeights(path.join(FOLDS, file)),
  }));
}

function fullScale({ pcm, sampleRate, channels }: Wave): Float32Array {
  const resampler = new Resampler(sampleRate, channels, HEARING_RATE);
  const parts = [resampler.push(pcm), resampler.flush()];
  const sound = new Float32Array(parts[0]!.length + parts[1]!.length);
  let at = 0;
  for (const part of parts) for (const sample of part) sound[at++] = sample / 32_768;
  return sound;
}

/** The middles of long sounds. */
function examplesOf(labels: Label[], sounds: Map<string, Float32Array>): Example[] {
  const found = labels.flatMap(({ file, segs }) =>
    segs
      .filter(([start, end]) => end - start > 0.07)
      .map(([start, end, viseme]) => ({
        sound: sounds.get(file)!,
        viseme,
        from: Math.round((start + 0.25 * (end - start)) * HEARING_RATE),
        to: Math.round((start + 0.75 * (end - start)) * HEARING_RATE),
      })),
  );
  const visemes = [...new Set(found.map(({ viseme }) => viseme))];
  return visemes.flatMap((viseme) => {
    const all = found.filter((example) => example.viseme === viseme);
    const every = Math.max(1, Math.floor(all.length / EXAMPLES_OF_EACH));
    return all.filter((_, i) => i % every === 0);
  });
}
