import type { Clock } from '#shared/clock.ts';

const RECENT_MS = 1_000;
/** Upper bound, to limit memory. */
const MAX_KEYS = 1_000;

/**
 * Caches key lookups for a second, so that a busy caller does not cost one per request.
 * Changes by this process apply at once, those by other processes within a second.
 */
export class RecentKeys<Known> {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #known = new Map<string, { known: Known; until: number }>();
  #changes = 0;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  async find(hash: string, lookUp: () => Promise<Known | null>): Promise<Known | null> {
    const recent = this.#known.get(hash);
    if (recent && recent.until > this.#clock.elapsed()) return recent.known;
    const changes = this.#changes;
    const known = await lookUp();
    // A change during the lookup may have made the result stale.
    if (known && changes === this.#changes) this.#keep(hash, known);
    return known;
  }

  /** Call after a key or its account changed. */
  forget(): void {
    this.#changes += 1;
    this.#known.clear();
  }

  #keep(hash: string, known: Known): void {
    if (this.#known.size >= MAX_KEYS) this.#known.clear();
    this.#known.set(hash, { known, until: this.#clock.elapsed() + RECENT_MS });
  }
}
