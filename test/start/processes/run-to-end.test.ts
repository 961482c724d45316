import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { runToEnd } from '../../../src/start/processes/run-to-end.ts';

let guard: Guard;
beforeEach(() => void (guard = new Guard(systemClock)));
afterEach(() => guard.close());

const run = (program: string, signal?: AbortSignal): Promise<void> =>
  runToEnd(['-e', program], { cwd: '.', env: { ...process.env }, guard, signal });

test('a program that ends well is waited for', async () => {
  await expect(run('setTimeout(() => {}, 1)')).resolves.toBeUndefined();
});

test('a failed program tells what it wrote', async () => {
  await expect(run('console.log("out"); console.error("err"); process.exit(3)')).rejects.toThrow(
    /out[^]*err|err[^]*out/,
  );
});

test('the signal kills the program', async () => {
  const stop = new AbortController();
  const ended = run('setInterval(() => {}, 1000)', stop.signal);

  stop.abort(new Error('stopped'));

  await expect(ended).rejects.toThrow('stopped');
});

test('nothing starts after the signal', async () => {
  await expect(run('', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});
