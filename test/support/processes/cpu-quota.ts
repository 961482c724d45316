import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Quota = { pid: number; share: number; ended: Int32Array };

/**
 * Limits a process to a share of one core, as a container's CPU limit does: in each tenth of a second it runs until it has used its part, and
 * stands still for the rest. Works without rights and without cgroups. Returns a function that ends the limit.
 */
export function limitCpu(pid: number, share: number): () => Promise<void> {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('./cpu-quota-thread.ts', import.meta.url), {
    workerData: { pid, share, ended } satisfies Quota,
  });
  const exited = once(thread, 'exit');
  return async () => {
    Atomics.store(ended, 0, 1);
    Atomics.notify(ended, 0);
    await exited;
  };
}
