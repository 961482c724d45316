import { describe, expect, test } from 'vitest';
import {
  advance,
  figuresOf,
  noLatency,
  type LatencyEvent,
} from '../../../../src/web/console/playground/latency.ts';

const after = (...events: LatencyEvent[]) => events.reduce(advance, noLatency).turns;

describe('latency of answers', () => {
  test('runs from the end of the line to the first sound and the first words', () => {
    const turns = after(
      { type: 'asked', at: 1_000 },
      { type: 'line', at: 1_300 },
      { type: 'sound', at: 1_400 },
      { type: 'line', at: 2_000 },
      { type: 'silence' },
      { type: 'sound', at: 3_000 },
    );

    expect(turns).toEqual([{ soundMs: 400, lineMs: 300 }]);
  });

  test('has no turn before the first line', () => {
    expect(after({ type: 'sound', at: 1 }, { type: 'line', at: 2 })).toEqual([]);
  });

  test('takes no sound of the answer before', () => {
    const turns = after(
      { type: 'asked', at: 0 },
      { type: 'sound', at: 100 },
      { type: 'asked', at: 500 },
      { type: 'sound', at: 550 },
      { type: 'silence' },
      { type: 'sound', at: 900 },
    );

    expect(turns.map(({ soundMs }) => soundMs)).toEqual([100, 400]);
  });

  test('counts a question in several lines once, from the last of them', () => {
    const turns = after(
      { type: 'asked', at: 0 },
      { type: 'asked', at: 700 },
      { type: 'line', at: 1_000 },
    );

    expect(turns).toEqual([{ soundMs: null, lineMs: 300 }]);
  });

  test('shows the last and the median of the turns that have a figure', () => {
    const turns = [400, null, 200, 900].map((soundMs) => ({ soundMs, lineMs: null }));

    expect(figuresOf(turns, 'soundMs')).toEqual({ last: 900, median: 400, count: 3 });
    expect(figuresOf(turns.slice(0, 3), 'soundMs')).toEqual({ last: 200, median: 300, count: 2 });
    expect(figuresOf(turns, 'lineMs')).toBeNull();
  });
});
