/*
 * SQLite's automatic checkpoint runs inside a commit and delays it by a disk sync. This runs
 * checkpoints in a thread with its own connection, so that no request waits.
 */
import { Worker } from 'node:worker_threads';

/** About two megabytes of log. Copying more at once would slow concurrent commits. */
const COMMITS_PER_CHECKPOINT = 64;

export class Checkpoints {
  readonly #file: string;
  #thread: Worker | null = null;
  #commits = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Call after each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_PER_CHECKPOINT > 0) return;
    this.#thread ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#thread.postMessage('checkpoint');
  }

  /** May interrupt a checkpoint; the next process to open the file repeats it. */
  close(): void {
    void this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: this.#file,
      env: {},
    });
    thread.unref();
    // Restarted at the next checkpoint. If the log grows meanwhile, SQLite checkpoints it itself.
    thread.on('error', () => {
      this.#thread = null;
    });
    return thread;
  }
}
