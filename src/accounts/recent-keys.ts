import type { Clock } from '#shared/clock.ts';

const RECENT_MS = 1_000;
/** Callers with keys of their own: beyond it they are looked up again. */
const MOST = 1_000;

/**
 * Keys that were looked up a moment ago: a busy caller's is not looked up for each request. What this process changes counts at once, what
 * another one changes a second later.
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
    // What was read before a change is not kept after it.
    if (known && changes === this.#changes) this.#keep(hash, known);
    return known;
  }

  /** A key or its account was changed. */
  forget(): void {
    this.#changes += 1;
    this.#known.clear();
  }

  #keep(hash: string, known: Known): void {
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(hash, { known, until: this.#clock.elapsed() + RECENT_MS });
  }
}
