import { describe, expect, test } from 'vitest';
import { score } from '../bench/lipsync/lipsync-score.ts';
import { deviations, readBaseline } from './baseline.ts';
import { foldFigures, heldOutSpeech, lagMs, lipSyncFigures } from './measures/lipsync.ts';

const clean = heldOutSpeech();
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

  test('scores no less than the baseline, clean and in noise', () => {
    expect(deviations(lipSyncFigures(clean), readBaseline('lipsync'), ROUNDING)).toEqual([]);
  });
});

describe('the mouth with weights trained without the tested voice', () => {
  test('scores no less than the baseline', () => {
    expect(deviations(foldFigures(), readBaseline('lipsync-folds'), ROUNDING)).toEqual([]);
  });
});
