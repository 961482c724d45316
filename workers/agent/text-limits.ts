import type { Clock } from '#shared/clock.ts';
import type { IgnoreReason } from '#protocol/room-terms.ts';

const MINUTE_MS = 60_000;
const PER_MINUTE = 20;
const PER_CALL = 1_000;

/** Limits the texts of a call's user, because each costs an answer of the model. */
export class TextLimits {
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** Times of the texts of the last minute. */
  #recent: number[] = [];
  #count: number;

  /** `earlier`: texts that an earlier worker accepted. */
  constructor(clock: Pick<Clock, 'elapsed'>, earlier: number) {
    this.#clock = clock;
    this.#count = earlier;
  }

  /** Counts one more text. Returns why it must be ignored instead; null: it is accepted. */
  add(): IgnoreReason | null {
    const now = this.#clock.elapsed();
    this.#recent = this.#recent.filter((at) => now - at < MINUTE_MS);
    if (this.#count >= PER_CALL) return 'too_many';
    if (this.#recent.length >= PER_MINUTE) return 'too_fast';
    this.#recent.push(now);
    this.#count += 1;
    return null;
  }
}
