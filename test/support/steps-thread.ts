/* Counts the steps of one function, in a thread that has not compiled it before. */
import { Session } from 'node:inspector/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Counted } from './steps.ts';

const { module, name, calls } = workerData as Counted;
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { [name]: run } = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;

const steps: number[] = [];
for (const args of calls) {
  // Resets the counts.
  await inspector.post('Profiler.takePreciseCoverage');
  run!(...args);
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const counts = result
    .filter(({ url }) => url === module)
    .flatMap(({ functions }) =>
      functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)),
    );
  steps.push(counts.reduce((sum, count) => sum + count, 0));
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(steps);
