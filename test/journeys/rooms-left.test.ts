import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Megabytes that the engine itself keeps of a room (test/reproductions/rtc-node-room-growth.ts). Measured: 0.5. */
const KNOWN_MB = 0.7;
const [WARM, ROOMS] = [10, 40];

test(`rooms that a worker has left keep no thread, no file and no memory beyond the known leak`, () => {
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

  const [before, after] = [held(WARM), held(ROOMS)];
  expect(after.threads).toBeLessThanOrEqual(before.threads);
  expect(after.files).toBeLessThanOrEqual(before.files);
  expect((after.heapMb - before.heapMb) / (ROOMS - WARM)).toBeLessThan(0.02);
  expect((after.privateMb - before.privateMb) / (ROOMS - WARM)).toBeLessThan(KNOWN_MB);
});
