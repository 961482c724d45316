import type { Clock } from '#shared/clock.ts';
import type { Lease } from '../../fleet/fleet.ts';

/** How long the search may last longer because nobody can say whether there is a slot: Redis is away. */
const AWAY_MS = 60_000;

export type SearchParts = {
  clock: Clock;
  /** How long to wait for a slot. */
  searchMs: number;
  /** It lives at no other control plane. */
  isOurs: () => Promise<boolean>;
  isPlaced: () => boolean;
  reserve: (waitMs: number, signal: AbortSignal) => Promise<Lease | null>;
  free: (lease: Lease) => void;
  /** A slot was found after so long. Afterwards it is placed, unless the worker does not take it. */
  settleAt: (lease: Lease, waitedMs: number) => Promise<void>;
  pause: () => Promise<void>;
  onFailed: (error: unknown) => void;
  /** No slot came in time. */
  onNowhere: () => void;
  /** In one go with the last look whether it is placed: whoever loses its worker from now on begins another search. */
  onOver: () => void;
};

/** A session without a worker looks for a slot elsewhere: until a worker has taken it, nobody did in time, or it is stopped. */
export class Search {
  readonly #parts: SearchParts;
  readonly #stop = new AbortController();

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#stop.abort();
  }

  async run(): Promise<void> {
    const { clock, searchMs, isPlaced, onOver } = this.#parts;
    let giveUpAt = clock.elapsed() + searchMs;
    const latest = giveUpAt + AWAY_MS;
    try {
      while (!this.#stop.signal.aborted && !isPlaced()) {
        const askedAt = clock.elapsed();
        const tried = await this.#tryOnce(giveUpAt);
        if (tried === 'over') return;
        if (tried === 'failed') giveUpAt = Math.min(latest, giveUpAt + clock.elapsed() - askedAt);
      }
    } finally {
      onOver();
    }
  }

  /** `failed`: nobody can say at this moment whether there is a slot. */
  async #tryOnce(giveUpAt: number): Promise<'tried' | 'failed' | 'over'> {
    const { clock, isOurs, reserve, free, settleAt, pause, onFailed, onNowhere } = this.#parts;
    const { signal } = this.#stop;
    const askedAt = clock.elapsed();
    let lease: Lease | null;
    try {
      if (!(await isOurs())) return 'over';
      lease = await reserve(giveUpAt - askedAt, signal);
    } catch (error) {
      if (signal.aborted || askedAt >= giveUpAt) throw error;
      onFailed(error);
      await pause();
      return 'failed';
    }
    if (signal.aborted) {
      if (lease) free(lease);
      return 'over';
    }
    if (!lease) {
      onNowhere();
      return 'over';
    }
    await settleAt(lease, clock.elapsed() - askedAt);
    return 'tried';
  }
}
