/*
 * Measures how the cost of a text grows with its length, in a thread of its own, which is ended if
 * it never returns. Only processor time is counted, and only ratios are judged: they do not change
 * when other processes take the processor.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Attack = {
  /** URL of the module. */
  module: string;
  /** Name of the function that it exports. It takes a text. */
  name: string;
  /** Repeated up to the length. */
  text: string;
  /** Before and after the repeated text. */
  head?: string;
  tail?: string;
  /** Length of the shorter text. */
  length: number;
};

/** How many times as long the second text is. */
const TIMES = 8;

/** Between a linear cost, whose growth is 8, and a quadratic one, whose growth is 64. */
export const MOST_GROWTH = 3 * TIMES;

/** A thread that takes longer has met a cost without bounds. */
const MOST_MS = 12_000;
const POLL_MS = 50;

/** Cost of a text that is eight times as long, in costs of the shorter one. */
export async function costGrowth({ head = '', tail = '', ...attack }: Attack): Promise<number> {
  const { module, name, text, length } = attack;
  const texts = [length, TIMES * length].map(
    (size) => head + text.repeat(Math.ceil(size / text.length)) + tail,
  );
  const thread = new Worker(new URL('./cost-thread.ts', import.meta.url), {
    workerData: { module, name, texts } satisfies CostedCalls,
  });
  const endless = Promise.withResolvers<[number[]]>();
  const poll = setInterval(async () => {
    if ((await processorMs(thread)) > MOST_MS) endless.resolve([[1, Infinity]]);
  }, POLL_MS);
  try {
    const [costs] = await Promise.race([once(thread, 'message'), endless.promise]);
    const [shorter, longer] = costs as [number, number];
    return longer / shorter;
  } finally {
    clearInterval(poll);
    await thread.terminate();
  }
}

/** 0 if the thread is not running. */
async function processorMs(thread: Worker): Promise<number> {
  const usage = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (usage.user + usage.system) / 1_000;
}

export type CostedCalls = { module: string; name: string; texts: string[] };
