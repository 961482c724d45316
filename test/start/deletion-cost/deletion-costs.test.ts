import { describe, expect, test } from 'vitest';
import { costChanges } from '../../../src/start/deletion-cost/deletion-costs.ts';

const MANY = 100;

describe('deletion costs', () => {
  test('are the numbers of sessions', () => {
    const pods = [
      { pod: 'a', cost: null },
      { pod: 'b', cost: 5 },
      { pod: 'c', cost: 2 },
    ];
    const workers = [
      { host: 'a', taken: 0 },
      { host: 'b', taken: 1 },
      { host: 'c', taken: 2 },
    ];

    expect(costChanges(pods, workers, MANY)).toEqual([
      { pod: 'a', cost: 0 },
      { pod: 'b', cost: 1 },
    ]);
  });

  test('of pods whose worker is not connected stay as they are', () => {
    const workers = [{ host: null, taken: 3 }];

    expect(costChanges([{ pod: 'a', cost: 3 }], workers, MANY)).toEqual([]);
  });

  test('are raised first where a scale-in would remove most sessions by mistake', () => {
    const pods = [
      { pod: 'emptied', cost: 8 },
      { pod: 'new', cost: null },
      { pod: 'filled', cost: 1 },
    ];
    const workers = [
      { host: 'emptied', taken: 0 },
      { host: 'new', taken: 2 },
      { host: 'filled', taken: 7 },
    ];

    expect(costChanges(pods, workers, 2)).toEqual([
      { pod: 'filled', cost: 7 },
      { pod: 'new', cost: 2 },
    ]);
  });
});
