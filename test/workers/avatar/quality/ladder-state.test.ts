import { describe, expect, test } from 'vitest';
import {
  advanceLadder,
  TOP,
  type Ladder,
} from '../../../../workers/avatar/quality/ladder-state.ts';

const LOWEST = 4;

/** One call each second, with these shares of missed frames. */
function after(shares: number[], from: Ladder = TOP, lowest = LOWEST) {
  const rungs: number[] = [];
  let ladder = from;
  const startedAt = nextCall(from);
  shares.forEach((missed, i) => {
    ladder = advanceLadder(ladder, { missed, now: startedAt + i * 1000, lowest });
    rungs.push(ladder.rung);
  });
  calls.set(ladder, startedAt + shares.length * 1000);
  return { ladder, rungs };
}

/** When the next call of each ladder is due. */
const calls = new WeakMap<Ladder, number>();
const nextCall = (ladder: Ladder) => calls.get(ladder) ?? 0;

const seconds = (count: number, missed: number): number[] => Array(count).fill(missed);
const CALM = 0;
const SOME = 0.07;
const MANY = 0.2;
const MOST = 0.7;

/** Two rungs down, after the last sample of pressure. */
const twoDown = () => after(seconds(7, MANY)).ladder;

const changesIn = (rungs: number[]) =>
  rungs.filter((rung, i) => i > 0 && rung !== rungs[i - 1]).length;

describe('the quality', () => {
  test('falls by one rung each three seconds in which many frames are missed', () => {
    expect(after(seconds(10, MANY)).rungs).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
  });

  test('falls by one rung each second in which most frames are missed', () => {
    expect(after(seconds(6, MOST)).rungs).toEqual([0, 1, 2, 3, 4, 4]);
  });

  test('stays during one long stall, and while only some frames are missed', () => {
    expect(after([CALM, 1, CALM, 0.9, CALM]).rungs).toEqual([0, 0, 0, 0, 0]);
    expect(after(seconds(60, SOME)).ladder.rung).toBe(0);
    const interrupted = [MANY, MANY, MANY, SOME, MANY, MANY, MANY, CALM, MANY, MANY, MANY];
    expect(after(interrupted).ladder.rung).toBe(0);
  });

  test('falls no lower than the lowest rung', () => {
    expect(after(seconds(60, MOST), TOP, 2).ladder.rung).toBe(2);
    expect(after(seconds(60, MOST), TOP, 0).ladder.rung).toBe(0);
  });

  test('rises by one rung each ten calm seconds, until it is full', () => {
    const { rungs } = after(seconds(32, CALM), twoDown());

    expect(rungs.indexOf(1)).toBe(10);
    expect(rungs.indexOf(0)).toBe(20);
    expect(rungs.at(-1)).toBe(0);
  });

  test('does not rise while some frames are missed', () => {
    expect(after(seconds(300, SOME), twoDown()).ladder.rung).toBe(2);
    const restless = Array.from({ length: 300 }, (_, i) => (i % 9 === 0 ? SOME : CALM));
    expect(after(restless, twoDown()).ladder.rung).toBe(2);
  });

  test('waits twice as long after each failed climb, up to a limit', () => {
    let ladder = twoDown();
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      const { rungs } = after(seconds(200, CALM), ladder);
      const wait = rungs.indexOf(1);
      waits.push(wait);
      ladder = after([...seconds(wait + 1, CALM), ...seconds(3, MANY), MANY], ladder).ladder;
      expect(ladder.rung).toBe(2);
    }

    expect(waits).toEqual([10, 20, 40, 80, 160, 160]);
  });

  test('waits as long as at first after a climb that held', () => {
    const failed = after([...seconds(11, CALM), ...seconds(4, MANY)], twoDown()).ladder;
    const heldLadder = after([...seconds(21, CALM), ...seconds(10, SOME)], failed).ladder;
    expect(failed).toMatchObject({ rung: 2, climbAfterMs: 20_000 });

    expect(heldLadder).toMatchObject({ rung: 1, climbAfterMs: 10_000, climbedAt: null });
  });
});

describe('a worker that gets half the CPU time it needs', () => {
  /** CPU time that each rung needs; 1 is that of full quality. */
  const NEEDS = [1, 0.62, 0.3, 0.2, 0.04];

  function run(ladder: Ladder, share: number, length: number) {
    let now = ladder;
    const rungs: number[] = [];
    for (let i = 0; i < length; i++) {
      const missed = Math.max(0, 1 - share / NEEDS[now.rung]!);
      now = after([missed], now).ladder;
      rungs.push(now.rung);
    }
    return { ladder: now, rungs };
  }

  test('settles on the rung that fits, tries the next one rarely, and ends at the top', () => {
    const short = run(TOP, 0.5, 3600);

    expect(short.rungs.at(-1)).toBe(2);
    expect(Math.max(...short.rungs)).toBe(2);
    // Two to go down; later one failed climb, up and down, about every 160 seconds.
    expect(changesIn(short.rungs)).toBeLessThan(60);
    const above = short.rungs.slice(600).filter((rung) => rung < 2).length;
    expect(above / 3000).toBeLessThan(0.05);
    const enough = run(short.ladder, 1, 300);
    expect(enough.rungs.at(-1)).toBe(0);
    expect(changesIn(enough.rungs)).toBeLessThanOrEqual(2);
  });
});
