/*
 * Polls `/healthz` over a new connection each time, as an orchestrator does, until it is ended.
 * Looks at the memory meanwhile, also while the service does not answer.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { HealthPoll, WatchedControl } from './health-watch.ts';
import { withChildrenMb } from './process-memory.ts';

const EVERY_MS = 10;
const MEMORY_EVERY_MS = 50;

const { url, pid } = workerData as WatchedControl;

let memoryMb = 0;
setInterval(() => {
  memoryMb = Math.max(memoryMb, withChildrenMb(pid));
}, MEMORY_EVERY_MS);

for (;;) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort?.postMessage(await poll());
  await pause(EVERY_MS);
}

async function poll(): Promise<HealthPoll> {
  const [sentAt, busyBefore] = [performance.now(), busyMs()];
  const status = await statusOf(`${url}/healthz`);
  const waitMs = performance.now() - sentAt;
  // Without /proc, only the wait tells.
  const busy = busyBefore === null ? waitMs : busyMs()! - busyBefore;
  const peakMb = memoryMb;
  memoryMb = 0;
  const times = { sentAt: performance.timeOrigin + sentAt, waitMs, busyMs: busy };
  return { status, ...times, withChildrenMb: peakMb };
}

function statusOf(address: string): Promise<number | string> {
  return new Promise((resolve) => {
    get(address, { agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode!));
    }).once('error', ({ message }) => resolve(message));
  });
}

/** Processor time of the main thread; null if the system does not report it. */
function busyMs(): number | null {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}
