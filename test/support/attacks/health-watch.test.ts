import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GOAL_MS, healthDuring, type WatchedControl } from './health-watch.ts';

let child: ChildProcess;
let control: WatchedControl;
beforeEach(async () => {
  child = fork(new URL('./standing-server.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  control = { url: `http://127.0.0.1:${port}`, pid: child.pid! };
});
afterEach(async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
});

const standStill = async (ms: number): Promise<void> => {
  child.send(ms);
  await once(child, 'message');
};

test('an event loop that stands still is measured', async () => {
  const { idle, attacked } = await healthDuring(control, () => standStill(2 * GOAL_MS));

  expect(idle.busyMs).toBeLessThan(GOAL_MS);
  expect(attacked.busyMs).toBeGreaterThan(GOAL_MS);
  expect(attacked.waitMs).toBeGreaterThanOrEqual(attacked.busyMs);
});

test('a poll without its answer is an error', async () => {
  const broken = healthDuring(control, async () => {
    child.send('break');
    await once(child, 'message');
  });

  await expect(broken).rejects.toThrow('/healthz was answered 500');
});
