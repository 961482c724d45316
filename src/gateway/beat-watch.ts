import type { Clock } from '#shared/clock.ts';
import { MISSED_BEATS } from '#protocol/worker/beats.ts';

type Watched = {
  /** Any message of the worker counts. */
  heard(): void;
  /** A worker without sessions sends no beats. */
  performs(sessions: number): void;
  stop(): void;
};

type Entry = { missed: number; onSilent: () => void };

/**
 * Detects workers with sessions that fall silent. One timer serves thousands of workers.
 *
 * Counts ticks, not time: after a pause of the control plane itself one tick passes, then the
 * messages that arrived meanwhile are read, so no worker counts as silent because of that pause.
 */
export class BeatWatch {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #entries = new Set<Entry>();
  #stopTimer: (() => void) | null = null;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Calls `onSilent` once, when the worker is no longer watched. */
  add(onSilent: () => void): Watched {
    const entry: Entry = { missed: 0, onSilent };
    return {
      heard: () => {
        entry.missed = 0;
      },
      performs: (sessions) => (sessions > 0 ? this.#watch(entry) : this.#forget(entry)),
      stop: () => this.#forget(entry),
    };
  }

  #watch(entry: Entry): void {
    this.#entries.add(entry);
    this.#stopTimer ??= this.#clock.every(this.#everyMs, () => this.#tick());
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  #tick(): void {
    for (const entry of this.#entries) {
      entry.missed += 1;
      if (entry.missed < MISSED_BEATS) continue;
      this.#forget(entry);
      entry.onSilent();
    }
  }
}
