/*
 * Takes a sample of the fleet at the beginning of each minute. Every control plane does so, and the
 * first one to write wins. Close it before the fleet and the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import {
  MINUTE_SECONDS,
  QUARTER_SECONDS,
  type FleetHistory,
} from '../../records/history/fleet-history.ts';

const MINUTE_MS = MINUTE_SECONDS * 1000;
const QUARTER_MS = QUARTER_SECONDS * 1000;

type FleetSamplerParts = {
  fleet: Pick<Fleet, 'counts' | 'workers'>;
  history: FleetHistory;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

export class FleetSampler {
  readonly #parts: FleetSamplerParts;
  #cancel: () => void = () => {};
  /** The minute to sample next. While the database is slow a later minute replaces it. */
  #due: number | null = null;
  /** Null while nothing is due. */
  #running: Promise<void> | null = null;
  /** The quarter of the last sample. */
  #quarter = 0;

  constructor(parts: FleetSamplerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock } = this.#parts;
    const now = clock.now();
    const nextMinute = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    this.#cancel = clock.after(nextMinute - now, () => {
      this.start();
      this.#due = nextMinute;
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#cancel();
    this.#due = null;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#due !== null) {
      const at = this.#due;
      this.#due = null;
      await this.#sample(at);
    }
    this.#running = null;
  }

  async #sample(at: number): Promise<void> {
    const { fleet, history, log } = this.#parts;
    try {
      const [workers, { waiting }] = await Promise.all([fleet.workers(), fleet.counts()]);
      const avatars = workers.filter(({ facts }) => facts.kind === 'avatar');
      const slots = avatars.reduce((sum, { facts }) => sum + facts.slots, 0);
      const taken = avatars.reduce((sum, worker) => sum + worker.taken, 0);
      await history.add(at, { workers: avatars.length, slots, taken, waiting });
      const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
      if (quarter !== this.#quarter) await history.rollUp(quarter - QUARTER_MS);
      this.#quarter = quarter;
    } catch (err) {
      log.warn({ err }, 'fleet not sampled');
    }
  }
}
