/*
 * Evaluates by rules in a worker thread, one call at a time: what a visitor writes must not stall
 * the requests of others. A thread that takes too long is ended, and the next call gets a new one.
 *
 * Owns the thread. Closed by the call evaluator.
 */
import { Worker } from 'node:worker_threads';
import { inTime, type Clock } from '#shared/clock.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import type { Evaluation } from './evaluation.ts';

/** A call of the longest texts takes about half a second. */
const WITHIN_MS = 5_000;
export const RULES_HEAP_MIB = 96;

export class RulesEvaluator {
  readonly #clock: Clock;
  readonly #startThread: () => Worker;
  readonly #queue = new SerialQueue();
  #thread: Worker | null = null;
  #isClosed = false;

  constructor(clock: Clock, startThread: () => Worker = startRulesThread) {
    this.#clock = clock;
    this.#startThread = startThread;
  }

  /** Rejects after five seconds, or when the thread dies. */
  evaluate(userTexts: readonly string[]): Promise<Evaluation> {
    return this.#queue.run(async () => {
      if (this.#isClosed) throw new Error('the evaluator is closed');
      try {
        return await inTime(this.#clock, WITHIN_MS, this.#ask(userTexts), tooLate);
      } catch (error) {
        await this.#endThread();
        throw error;
      }
    });
  }

  /** A running evaluation rejects. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#endThread();
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #ask(userTexts: readonly string[]): Promise<Evaluation> {
    const { promise, resolve, reject } = Promise.withResolvers<Evaluation>();
    const thread = (this.#thread ??= this.#startThread());
    thread.removeAllListeners();
    thread.on('message', resolve);
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('evaluation thread ended')));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    thread.postMessage(userTexts);
    return promise;
  }
}

const tooLate = () => new Error('evaluation took too long');

function startRulesThread(): Worker {
  const thread = new Worker(new URL('./rules-thread.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: RULES_HEAP_MIB },
  });
  thread.unref();
  return thread;
}
