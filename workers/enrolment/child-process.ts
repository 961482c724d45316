/*
 * Builds one avatar in a thread and enforces limits of memory and processor time for the whole
 * process: the thread's heap limit does not count decoded pictures. Answers its parent by messages
 * and waits to be killed by it.
 */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { dropRoot } from '#shared/process/decoder-process.ts';
import type { PhotoAnswer, PhotoRequest } from './child-messages.ts';

const WATCH_EVERY_MS = 20;
const MIB = 1024 ** 2;

const answer = (answer: PhotoAnswer) => void process.send?.(answer);

// Live sessions come first.
setPriority(constants.priority.PRIORITY_LOW);
process.on('disconnect', () => process.exit());
const [request] = (await once(process, 'message')) as [PhotoRequest];
const { memoryMiB, processorMs } = request.limits;

const thread = new Worker(new URL('./child-thread.ts', import.meta.url), {
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: memoryMiB / 2 },
});
const watching = setInterval(() => {
  if (process.memoryUsage.rss() > memoryMiB * MIB) giveUp({ type: 'out_of_memory' });
  else if (usedMs() > processorMs) giveUp({ type: 'refused', reason: 'took_too_long' });
}, WATCH_EVERY_MS);
thread.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  giveUp({ type: 'out_of_memory' });
});
// The thread has loaded its code and models.
await new Promise((resolve) => thread.once('message', resolve));
dropRoot();
thread.on('message', (message: PhotoAnswer) => {
  if (message.type !== 'progress') clearInterval(watching);
  answer(message);
});
thread.postMessage(request, []);

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function giveUp(why: PhotoAnswer): void {
  clearInterval(watching);
  void thread.terminate();
  answer(why);
}
