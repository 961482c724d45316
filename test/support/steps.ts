import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Counted = {
  /** URL of the module. */
  module: string;
  /** Name of the function that it exports. */
  name: string;
  /** Arguments of each call. */
  calls: unknown[][];
};

/**
 * How many blocks of the module's code each call runs. Unlike time, it is the same on every
 * machine. The steps of built-in functions and regular expressions are not counted.
 */
export async function stepsOf(counted: Counted): Promise<number[]> {
  const thread = new Worker(new URL('./steps-thread.ts', import.meta.url), { workerData: counted });
  const [steps] = (await once(thread, 'message')) as [number[]];
  await thread.terminate();
  return steps;
}
