import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Megabytes that the engine itself keeps of a room (test/reproductions/rtc-node-room-growth.ts). Measured: 0.5. */
const KNOWN_MB = 0.7;
/** Rooms between two measurements; the first of them warms the process up. */
const STEP = 10;
const ROOMS = 40;

test('rooms that a worker has left keep no thread, no file and no memory beyond the known leak', () => {
  const script = 'test/reproductions/rtc-node-room-growth.ts';
  const flags = ['--expose-gc', '--import', 'tsx', script, 'product', `${ROOMS}`];
  const out = execFileSync(process.execPath, flags, { encoding: 'utf8' });
  const held = (rooms: number) => {
    const line = out.split('\n').find((line) => line.trim().startsWith(`${rooms} rooms:`))!;
    const figure = (name: RegExp) => Number(name.exec(line)![1]);
    return {
      privateMb: figure(/([\d.]+) MB private/),
      heapMb: figure(/heap ([\d.]+)/),
      threads: figure(/threads (\d+)/),
      files: figure(/files (\d+)/),
    };
  };

  const steps = Array.from({ length: ROOMS / STEP }, (_, i) => held((i + 1) * STEP));
  // Every step shows a leak. In one of them, V8 or malloc may take some megabytes, or a pool a thread.
  const grown = (what: keyof (typeof steps)[number]) =>
    median(steps.slice(1).map((step, i) => (step[what] - steps[i]![what]) / STEP));
  expect(grown('threads'), out).toBeLessThanOrEqual(0);
  expect(grown('files'), out).toBeLessThanOrEqual(0);
  expect(grown('heapMb'), out).toBeLessThan(0.02);
  expect(grown('privateMb'), out).toBeLessThan(KNOWN_MB);
});

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
