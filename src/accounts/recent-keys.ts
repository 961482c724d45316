import type { Clock } from '#shared/clock.ts';

const RECENT_MS = 1_000;
/** Upper bound, to limit memory. */
const MAX_KEYS = 1_000;

/**
 * Caches key lookups for a second, so that a busy caller does not cost one per request.
 * Changes by this process apply at once, those by other processes within a second.
 */
export class RecentKeys<Key> {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #recent = new Map<string, { key: Key; until: number }>();
  #changes = 0;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  async find(hash: string, lookUp: () => Promise<Key | null>): Promise<Key | null> {
    const recent = this.#recent.get(hash);
    if (recent && recent.until > this.#clock.elapsed()) return recent.key;
    const changes = this.#changes;
    const key = await lookUp();
    // A change during the lookup may have made the result stale.
    if (key && changes === this.#changes) this.#keep(hash, key);
    return key;
  }

  /** Call after a key or its account changed. */
  forget(): void {
    this.#changes += 1;
    this.#recent.clear();
  }

  #keep(hash: string, key: Key): void {
    if (this.#recent.size >= MAX_KEYS) this.#recent.clear();
    this.#recent.set(hash, { key, until: this.#clock.elapsed() + RECENT_MS });
  }
}
