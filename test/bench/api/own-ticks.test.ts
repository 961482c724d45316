import { describe, expect, test } from 'vitest';
import { SeenTicks, ticksUnder } from './own-ticks.ts';

const child = (pid: number, parent: number) => ({
  pid,
  parent,
  bornAt: 1,
  ticks: 0,
  reapedTicks: 0,
});

describe('the CPU time of a bench', () => {
  test('counts a process with its descendants only', () => {
    const processes = [
      { ...child(4, 3), ticks: 8 },
      { ...child(3, 2), ticks: 4 },
      { ...child(2, 1), ticks: 1, reapedTicks: 1 },
      { ...child(5, 1), ticks: 100 },
    ];

    expect(ticksUnder(2, processes)).toBe(14);
  });

  test('counts what a process does after it lost its parent, until it has ended', () => {
    const seenTicks = new SeenTicks(2);
    const root = { ...child(2, 1), ticks: 10 };
    seenTicks.look([root, { ...child(3, 2), ticks: 5 }]);
    expect(seenTicks.spent).toBe(0);

    // Its parent is gone, and so is the number of the parent, to another process.
    seenTicks.look([root, { ...child(3, 2), ticks: 6 }, { ...child(4, 3), ticks: 20 }]);
    seenTicks.look([
      root,
      { ...child(4, 1), ticks: 25 },
      { ...child(3, 1), bornAt: 9, ticks: 100 },
    ]);
    seenTicks.look([{ ...root, ticks: 12 }]);

    expect(seenTicks.spent).toBe(1 + 25 + 2);
  });
});
