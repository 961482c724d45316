import { describe, expect, test } from 'vitest';
import { score } from '../bench/lipsync/lipsync-score.ts';
import { deviations, readBaseline, type Figures } from './baseline.ts';
import {
  foldFigures,
  folds,
  heldOutSpeech,
  lagMs,
  lipSyncConditions,
  named,
} from './measures/lipsync.ts';

const clean = heldOutSpeech();
const conditions = lipSyncConditions(clean);
const baseline = readBaseline('lipsync');
/** Names of figures are those of their conditions with `: ` and the score. */
const conditionOf = (figure: string) => figure.slice(0, figure.lastIndexOf(': '));
const figuresOf = (condition: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => conditionOf(name) === condition));
/** Allows for V8 versions that round the spectrum's sines differently. A worse mouth loses more. */
const ROUNDING = { below: () => 0.002 };

describe('the mouth with the shipped weights, on speech absent from all training', () => {
  test('meets the goals', () => {
    const { macroF1, strictF1, closureF1, openR } = score(clean);

    expect.soft(macroF1, 'macro-F1').toBeGreaterThanOrEqual(0.8);
    expect.soft(strictF1, 'strict F1').toBeGreaterThanOrEqual(0.64);
    expect.soft(closureF1, 'closure F1').toBeGreaterThanOrEqual(0.75);
    expect.soft(openR, 'opening r').toBeGreaterThanOrEqual(0.82);
  });

  test('is neither late nor early', () => {
    expect(lagMs(clean)).toBe(0);
  });

  // Each in a test of its own: beside the journeys they get little of the machine.
  test.each([...conditions])('scores no less than the baseline: %s', (name, speech) => {
    expect(deviations(named(name, score(speech())), figuresOf(name, baseline), ROUNDING)).toEqual(
      [],
    );
  });

  test('is scored on all conditions of the baseline', () => {
    expect(new Set(Object.keys(baseline).map(conditionOf))).toEqual(new Set(conditions.keys()));
  });
});

describe('the mouth with weights trained without the tested voice', () => {
  const foldBaseline = readBaseline('lipsync-folds');

  test.each(folds())('scores no less than the baseline: %s', (fold) => {
    expect(deviations(foldFigures(fold), figuresOf(fold, foldBaseline), ROUNDING)).toEqual([]);
  });

  test('is scored on all folds of the baseline', () => {
    expect(new Set(Object.keys(foldBaseline).map(conditionOf))).toEqual(new Set(folds()));
  });
});
