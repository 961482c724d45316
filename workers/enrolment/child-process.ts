/*
 * Builds one avatar in a thread and enforces a memory limit for the whole process: the thread's
 * heap limit does not count decoded pictures. Answers its parent by messages and waits to be killed
 * by it.
 */
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PhotoAnswer, PhotoRequest } from './child-messages.ts';

const WATCH_EVERY_MS = 20;
const MIB = 1024 ** 2;

const answer = (answer: PhotoAnswer) => void process.send?.(answer);

// Live sessions come first.
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
