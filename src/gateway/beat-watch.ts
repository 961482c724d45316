import type { Clock } from '#shared/clock.ts';
import { MISSED_BEATS } from '#protocol/beats.ts';

type Watched = {
  /** The worker said something. */
  heard(): void;
  /** The worker holds so many sessions; with none it does not beat. */
  performs(sessions: number): void;
  stop(): void;
};

type Entry = { missed: number; onSilent: () => void };

/**
 * Notices that workers with sessions fall silent. One timer for all of them: there may be thousands.
 *
 * Counts looks, not time: after its own pause the control plane looks once, then reads what arrived, so it calls no worker silent for its own
 * pause.
 */
export class BeatWatch {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #entries = new Set<Entry>();
  #stopLooking: (() => void) | null = null;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Calls `onSilent` once, after it has stopped watching the worker. */
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
    this.#stopLooking ??= this.#clock.every(this.#everyMs, () => this.#look());
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = null;
  }

  #look(): void {
    for (const entry of this.#entries) {
      entry.missed += 1;
      if (entry.missed < MISSED_BEATS) continue;
      this.#forget(entry);
      entry.onSilent();
    }
  }
}
