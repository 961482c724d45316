/*
 * Scores take seconds to measure, so they are measured only when the inputs differ from the
 * baseline's.
 */
import { describe, expect, test } from 'vitest';
import { score } from '../bench/lipsync/lipsync-score.ts';
import { deviations, readBaseline, readMeasured, type Figures } from './baseline.ts';
import { digestOf, lipSyncInputs } from './measures/lipsync-inputs.ts';
import {
  foldFigures,
  folds,
  heldOutSpeech,
  lagMs,
  lipSyncConditions,
  named,
} from './measures/lipsync.ts';

const baseline = readBaseline('lipsync');
const foldBaseline = readBaseline('lipsync-folds');
const measured = readMeasured('lipsync');
const isMeasured = digestOf(lipSyncInputs()) === measured.inputs;

let frames: ReturnType<typeof heldOutSpeech> | undefined;
const clean = () => (frames ??= heldOutSpeech());
const conditions = lipSyncConditions(clean);
/** Names of figures are those of their conditions with `: ` and the score. */
const conditionOf = (figure: string) => figure.slice(0, figure.lastIndexOf(': '));
const figuresOf = (condition: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => conditionOf(name) === condition));
/** Allows for V8 versions that round the spectrum's sines differently. A worse mouth loses more. */
const ROUNDING = { below: () => 0.002 };

describe('the mouth with the shipped weights, on speech absent from all training', () => {
  test('meets the goals', () => {
    const figures = isMeasured ? baseline : named('clean', score(clean()));

    expect.soft(figures['clean: macroF1'], 'macro-F1').toBeGreaterThanOrEqual(0.8);
    expect.soft(figures['clean: strictF1'], 'strict F1').toBeGreaterThanOrEqual(0.64);
    expect.soft(figures['clean: closureF1'], 'closure F1').toBeGreaterThanOrEqual(0.75);
    expect.soft(figures['clean: openR'], 'opening r').toBeGreaterThanOrEqual(0.82);
  });

  test('is neither late nor early', () => {
    expect(isMeasured ? measured.lagMs : lagMs(clean())).toBe(0);
  });

  test('is scored on all conditions of the baseline', () => {
    expect(new Set(Object.keys(baseline).map(conditionOf))).toEqual(new Set(conditions.keys()));
  });

  test('is scored on all folds of the baseline', () => {
    expect(new Set(Object.keys(foldBaseline).map(conditionOf))).toEqual(new Set(folds()));
  });
});

if (!isMeasured) {
  // Each in a test of its own: beside the journeys they get little of the machine.
  test.each([...conditions])('the mouth scores no less than the baseline: %s', (name, speech) => {
    const figures = named(name, score(speech()));

    expect(deviations(figures, figuresOf(name, baseline), ROUNDING)).toEqual([]);
  });

  test.each(folds())('the mouth without the tested voice scores no less: %s', (fold) => {
    expect(deviations(foldFigures(fold), figuresOf(fold, foldBaseline), ROUNDING)).toEqual([]);
  });
}

describe('the inputs of the scores', () => {
  const inputs = lipSyncInputs();

  test('are the code, the weights, the kernel, the speech and the baseline', () => {
    expect(inputs).toEqual(
      expect.arrayContaining([
        'src/protocol/audio.ts',
        'test/bench/lipsync/lipsync-score.ts',
        'test/fixtures/held-out/labels.jsonl',
        'test/fixtures/lipsync/labels.jsonl',
        'test/gates/baselines/lipsync.json',
        'test/gates/baselines/lipsync-folds.json',
        'workers/avatar/lipsync/features.ts',
        'workers/avatar/lipsync/kernel/kernel.wasm',
        'workers/avatar/lipsync/weights.json',
      ]),
    );
  });

  test('have another digest when one of them or V8 is another', () => {
    const [firstInput, secondInput, ...otherInputs] = inputs as [string, string, ...string[]];
    const digests = [
      digestOf([firstInput]),
      digestOf([secondInput]),
      digestOf([firstInput, secondInput, ...otherInputs]),
      digestOf([firstInput], 'another V8'),
    ];

    expect(new Set(digests).size).toBe(digests.length);
  });
});
