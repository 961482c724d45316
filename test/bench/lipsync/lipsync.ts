/*
 * Scores of the mouth on test/fixtures/lipsync, through the worker's own code: with the shipped
 * weights, whose training included these voices, and with weights trained without the tested voice.
 * At 60 ms of look-ahead (speech sent faster than real time) and at 20 ms (speech in real time).
 * Other libraries for comparison.
 */
import { looksIn } from '../../../workers/studio/looks.ts';
import type { Weights } from '../../../workers/avatar/lipsync/network.ts';
import { Resampler } from '../../../workers/avatar/speech/resample.ts';
import type { Tools } from '../bench.ts';
import { alone, NOISES, over } from './lipsync-noise.ts';
import { type LabelledFrames, score, type Scores } from './lipsync-score.ts';
import { type Fold, readFolds, readSpeech, someOfEach, type Speech } from './lipsync-set.ts';
import {
  type Example,
  headAudio,
  BROWSER_RATE,
  type LipSyncer,
  wawa,
  wLipSync,
} from './other-lipsync.ts';
import { type Goal, row, type Row } from '../report/row.ts';

/** Goals apply to the first; the second is only reported. */
const AHEAD_MS = [60, 20];
const NOISE_DB = 10;
const NOISY_FILES_OF_EACH = 2;
/** Calibration examples per vowel; wLipSync's users would record fewer. */
const EXAMPLES_OF_EACH = 40;

type Figure = { title: string; figure: keyof Scores; goal: Goal };
const FIGURES: Figure[] = [
  { title: 'macro-F1', figure: 'macroF1', goal: { of: 'median', atLeast: 0.78 } },
  { title: 'strict F1', figure: 'strictF1', goal: { of: 'median', atLeast: 0.62 } },
  { title: 'closure F1', figure: 'closureF1', goal: { of: 'median', atLeast: 0.77 } },
  { title: 'f/v F1', figure: 'lipOnTeethF1', goal: { of: 'median', atLeast: 0.5 } },
  { title: 'opening r', figure: 'openR', goal: { of: 'median', atLeast: 0.83 } },
  { title: 'opening r in speech', figure: 'openRSpeech', goal: { of: 'median', atLeast: 0.73 } },
  { title: 'false opening in pauses', figure: 'falseOpen', goal: { of: 'median', atMost: 0.005 } },
];

/** `weightsFor` selects the weights for each voice. */
type Mouth = { name: string; weightsFor: (voice: string) => (Weights | undefined)[] };

export async function lipSync({ say }: Tools): Promise<Row[]> {
  const folds = readFolds();
  const clean = readSpeech();
  const sample = someOfEach(clean, NOISY_FILES_OF_EACH);
  const noisy = NOISES.map((noise) => sample.map((speech) => over(speech, noise, NOISE_DB)));
  const nobody = NOISES.map((noise) => [alone(noise, clean[0]!.sampleRate)]);
  const mouths: Mouth[] = [
    // Weights of a fold, trained without the voice.
    { name: 'unknown voices', weightsFor: (voice) => foldsFor(folds, voice) },
    { name: 'shipped weights (known voices)', weightsFor: () => [undefined] },
  ];
  const rows: Row[] = [];
  for (const { name, weightsFor } of mouths) {
    for (const aheadMs of AHEAD_MS) {
      const hear = (speeches: Speech[]): LabelledFrames[] =>
        speeches.flatMap((speech) =>
          weightsFor(speech.label.voice).map((weights) => heardBy(speech, aheadMs, weights)),
        );
      const judged = <Of>(goal: Of) => (aheadMs === AHEAD_MS[0] ? { goal } : {});
      const how = `${name}, ${aheadMs} ms`;
      const performances = hear(clean);
      rows.push(
        ...FIGURES.map(({ title, figure, goal }) =>
          row({
            ...plain(`${title}, ${how}`),
            values: score(performances)[figure],
            ...judged(goal),
          }),
        ),
        byVoice(
          `macro-F1 by voice, ${how}`,
          performances,
          judged<Goal>({ of: 'worst', atLeast: 0.62 }),
        ),
      );
      const inNoise = noisy.map(hear);
      const scores = inNoise.map(score);
      rows.push(
        row({
          ...plain(`macro-F1 at ${NOISE_DB} dB, ${how}`),
          values: scores.map(({ macroF1 }) => macroF1),
          better: 'higher',
          ...judged<Goal>({ of: 'worst', atLeast: 0.68 }),
          note: namedValues(
            NOISES,
            scores.map(({ macroF1 }) => macroF1),
          ),
        }),
        byVoice(`macro-F1 at ${NOISE_DB} dB by voice, ${how}`, inNoise.flat(), {}),
        row({
          ...plain(`false opening in pauses at ${NOISE_DB} dB, ${how}`),
          values: scores.map(({ falseOpen }) => falseOpen),
          ...judged<Goal>({ of: 'worst', atMost: 0.02 }),
          note: namedValues(
            NOISES,
            scores.map(({ falseOpen }) => falseOpen),
          ),
        }),
      );
      const inNoiseAlone = nobody.map((speech) => score(hear(speech)).falseOpen);
      rows.push(
        row({
          ...plain(`false opening on noise and music alone, ${how}`),
          values: inNoiseAlone,
          ...judged<Goal>({ of: 'worst', atMost: 0.005 }),
          note: namedValues(NOISES, inNoiseAlone),
        }),
      );
      say(`${how}: scored`);
    }
  }
  return [...rows, ...(await rowsOfOthers(clean, folds))];
}

const plain = (subject: string) => ({ what: subject, unit: '' });

/** All folds trained without a voice; all of them for sounds without speech. */
const foldsFor = (folds: Fold[], voice: string): Weights[] =>
  folds
    .filter(({ without }) => voice === 'none' || without.includes(voice))
    .map(({ weights }) => weights);

function heardBy(
  { label, sound, sampleRate }: Speech,
  aheadMs: number,
  weights?: Weights,
): LabelledFrames {
  const pcm = bytesOf(sound);
  const looks = looksIn({ pcm, sampleRate, channels: 1 }, { fps: 25, aheadMs, weights });
  return { label, frames: looks.map(({ viseme, opening }) => ({ viseme, open: opening })) };
}

function byVoice(subject: string, performances: LabelledFrames[], goal: { goal?: Goal }): Row {
  const voices = [...new Set(performances.map(({ label }) => label.voice))];
  const values = voices.map(
    (voice) => score(performances.filter(({ label }) => label.voice === voice)).macroF1,
  );
  const worst = voices[values.indexOf(Math.min(...values))];
  return row({ ...plain(subject), values, better: 'higher', ...goal, note: `worst: ${worst}` });
}

const namedValues = (names: readonly string[], values: number[]): string =>
  names.map((name, i) => `${name} ${values[i]!.toFixed(4)}`).join(', ');

async function rowsOfOthers(clean: Speech[], folds: Fold[]): Promise<Row[]> {
  const wide = new Map(clean.map((speech) => [speech.label.file, atHearingRate(speech)]));
  const labels = clean.map(({ label }) => label);
  const hear = (lipSyncer: LipSyncer, subset = labels): LabelledFrames[] =>
    subset.map((label) => ({ label, frames: lipSyncer(wide.get(label.file)!) }));
  const ofW = folds.flatMap(({ without }) => {
    const training = clean.filter(({ label }) => !without.includes(label.voice));
    const testLabels = labels.filter(({ voice }) => without.includes(voice));
    return hear(wLipSync(examplesOf(training, wide)), testLabels);
  });
  const byOthers: [string, LabelledFrames[]][] = [
    ['wawa-lipsync', hear(await wawa())],
    ['headaudio', hear(await headAudio())],
    ['wlipsync', ofW],
  ];
  return byOthers.flatMap(([name, performances]) =>
    FIGURES.map(({ title, figure }) =>
      row({ ...plain(`${title}, by ${name}`), values: score(performances)[figure] }),
    ),
  );
}

const bytesOf = (sound: Float32Array): Uint8Array =>
  new Uint8Array(
    Int16Array.from(sound, (each) => Math.max(-32_768, Math.min(32_767, Math.round(each * 32_768))))
      .buffer,
  );

function atHearingRate({ sound, sampleRate }: Speech): Float32Array {
  const resampler = new Resampler(sampleRate, 1, BROWSER_RATE);
  const parts = [resampler.push(bytesOf(sound)), resampler.flush()];
  const wide = new Float32Array(parts[0]!.length + parts[1]!.length);
  let at = 0;
  for (const part of parts) for (const sample of part) wide[at++] = sample / 32_768;
  return wide;
}

/** The middles of long sounds. */
function examplesOf(speech: Speech[], sounds: Map<string, Float32Array>): Example[] {
  const examples = speech.flatMap(({ label: { file, segs } }) =>
    segs
      .filter(([start, end]) => end - start > 0.07)
      .map(([start, end, viseme]) => ({
        sound: sounds.get(file)!,
        viseme,
        from: Math.round((start + 0.25 * (end - start)) * BROWSER_RATE),
        to: Math.round((start + 0.75 * (end - start)) * BROWSER_RATE),
      })),
  );
  const visemes = [...new Set(examples.map(({ viseme }) => viseme))];
  return visemes.flatMap((viseme) => {
    const matches = examples.filter((example) => example.viseme === viseme);
    const every = Math.max(1, Math.floor(matches.length / EXAMPLES_OF_EACH));
    return matches.filter((_, i) => i % every === 0);
  });
}
