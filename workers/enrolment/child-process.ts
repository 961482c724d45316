/*
 * Builds one avatar in a thread, and watches meanwhile that the whole process stays within its memory: a limit of the thread's heap knows
 * nothing of decoded pictures. It answers its parent by messages, and waits then to be ended by it.
 */
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PhotoAnswer, PhotoRequest } from './child-messages.ts';

const WATCH_EVERY_MS = 20;
const MIB = 1024 ** 2;

const answer = (answer: PhotoAnswer) => void process.send?.(answer);

// Whoever talks at this moment comes first.
setPriority(constants.priority.PRIORITY_LOW);
process.on('disconnect', () => process.exit());
process.once('message', (request) => build(request as PhotoRequest));

function build(request: PhotoRequest) {
  const thread = new Worker(new URL('./child-thread.ts', import.meta.url), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: request.memoryMiB / 2 },
  });
  const watching = setInterval(() => {
    if (process.memoryUsage.rss() > request.memoryMiB * MIB) refuse();
  }, WATCH_EVERY_MS);
  thread.on('message', (said: PhotoAnswer) => {
    if (said.type !== 'progress') clearInterval(watching);
    answer(said);
  });
  thread.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    refuse();
  });

  function refuse() {
    clearInterval(watching);
    void thread.terminate();
    answer({ type: 'refused', reason: 'build_failed' });
  }
}
