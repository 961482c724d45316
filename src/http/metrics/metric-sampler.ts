/*
 * Adds what this process has counted to the history, every minute. What could not be written is
 * added with the next minute. Close it before the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Counts, MetricHistory } from '../../records/history/metric-history.ts';
import { addedSince } from './metric-counts.ts';

type MetricSamplerParts = {
  read: () => Promise<Counts>;
  history: Pick<MetricHistory, 'add'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

const EVERY_MS = 60_000;

export class MetricSampler {
  readonly #parts: MetricSamplerParts;
  readonly #stop: () => void;
  #written: Counts = {};
  /** Null while nothing is written. A slow database must not pile writes up. */
  #running: Promise<void> | null = null;

  constructor(parts: MetricSamplerParts) {
    this.#parts = parts;
    this.#stop = parts.clock.every(EVERY_MS, () => void (this.#running ??= this.#run()));
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#running;
    await this.#run();
  }

  async #run(): Promise<void> {
    const { read, history, clock, log } = this.#parts;
    try {
      const counts = await read();
      await history.add(addedSince(this.#written, counts), clock.now());
      this.#written = counts;
    } catch (err) {
      log.warn({ err }, 'metrics not added to their history');
    }
    this.#running = null;
  }
}
