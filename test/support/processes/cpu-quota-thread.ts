/* Stops and continues a process so that it uses no more than its share of a core. */
import { readdirSync, readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Quota } from './cpu-quota.ts';

/** As the kernel does for containers. */
const PERIOD_MS = 100;
const LOOK_EVERY_MS = 4;

const { pid, share, ended } = workerData as Quota;
const isOver = () => Atomics.load(ended, 0) !== 0;
const wait = (ms: number) => void Atomics.wait(ended, 0, 0, ms);

/** CPU time of all its threads. */
function usedMs(): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [running = '0'] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(
        ' ',
      );
      nanoseconds += Number(running);
    } catch {
      // The thread has ended.
    }
  }
  return nanoseconds / 1e6;
}

let [used, left] = [usedMs(), 0];
while (!isOver()) {
  const endsAt = performance.now() + PERIOD_MS;
  // What it used too much is missing from the next period.
  left = Math.min(0, left) + share * PERIOD_MS;
  for (;;) {
    const now = usedMs();
    left -= now - used;
    used = now;
    const restMs = endsAt - performance.now();
    if (left <= 0 || restMs <= 0 || isOver()) break;
    wait(Math.min(restMs, LOOK_EVERY_MS));
  }
  const restMs = endsAt - performance.now();
  if (restMs <= 0 || isOver()) continue;
  process.kill(pid, 'SIGSTOP');
  wait(restMs);
  process.kill(pid, 'SIGCONT');
}
