/* Tells the processor time that a function takes for each text. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CostedCalls } from './cost-growth.ts';

/** Calls are repeated for as long, because clocks of the processor are coarse. */
const LEAST_MS = 20;
const ROUNDS = 3;

const { module, name, texts } = workerData as CostedCalls;
const { [name]: run } = (await import(module)) as Record<string, (text: string) => unknown>;

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

function costOf(text: string): number {
  const startMs = processorMs();
  for (let calls = 1; ; calls += 1) {
    run!(text);
    const tookMs = processorMs() - startMs;
    if (tookMs >= LEAST_MS) return tookMs / calls;
  }
}

// The first round compiles what all calls need. Other processes, which empty the caches, only add
// to a cost, so the least one counts.
const rounds = Array.from({ length: ROUNDS }, () => texts.map(costOf));
const costs = texts.map((_, text) => Math.min(...rounds.map((round) => round[text]!)));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(costs);
