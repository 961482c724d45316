import { describe, expect, test } from 'vitest';
import { score } from '../bench/lipsync/lipsync-score.ts';
import { deviations, readBaseline } from './baseline.ts';
import { foldFigures, heldOutSpeech, lagMs, lipSyncConditions, named } from './measures/lipsync.ts';

const clean = heldOutSpeech();
const conditions = lipSyncConditions(clean);
const baseline = readBaseline('lipsync');
/** Names of figures are those of their conditions with `: ` and the score. */
const conditionOf = (figure: string) => figure.slice(0, figure.lastIndexOf(': '));
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
    const own = Object.entries(baseline).filter(([figure]) => conditionOf(figure) === name);

    expect(deviations(named(name, score(speech())), Object.fromEntries(own), ROUNDING)).toEqual([]);
  });

  test('is scored on all conditions of the baseline', () => {
    expect(new Set(Object.keys(baseline).map(conditionOf))).toEqual(new Set(conditions.keys()));
  });
});

describe('the mouth with weights trained without the tested voice', () => {
  test('scores no less than the baseline', () => {
    expect(deviations(foldFigures(), readBaseline('lipsync-folds'), ROUNDING)).toEqual([]);
  });
});
