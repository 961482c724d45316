/*
 * SQLite writes into a log and copies that into its file now and then, with a sync of the disk: whoever happens to write then waits for it.
 * Here a thread does it, with a connection of its own, so that no request waits.
 */
import { Worker } from 'node:worker_threads';

/** Some two megabytes of the log: while the disk takes a copy of more, commits wait for it after all. */
const COMMITS_BETWEEN = 64;

export class Checkpoints {
  readonly #file: string;
  #thread: Worker | null = null;
  #commits = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** A transaction was committed. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN > 0) return;
    this.#thread ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#thread.postMessage('checkpoint');
  }

  /** It may be in the middle of one: that is repeated by whoever opens the file next. */
  close(): void {
    void this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: this.#file,
      env: {},
    });
    thread.unref();
    // Until there is another one the log grows, and at the worst SQLite copies it by itself: slower, but nothing is lost.
    thread.on('error', () => {
      this.#thread = null;
    });
    return thread;
  }
}
