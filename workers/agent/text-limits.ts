import type { Clock } from '#shared/clock.ts';
import type { IgnoreReason } from '#protocol/room-terms.ts';
import type { CallBudget } from './call-budget.ts';

const MINUTE_MS = 60_000;
const PER_MINUTE = 20;
const PER_CALL = 1_000;

/** Limits of the visitor's texts in all calls. */
export type TextBudget = Pick<CallBudget, 'add' | 'textsLeft' | 'textsPerTenMinutes'>;

type TextLimitsParts = {
  clock: Pick<Clock, 'elapsed'>;
  budget: TextBudget;
  /** Texts that an earlier worker accepted. */
  earlierTexts: number;
};

/** Limits the texts of a call's user, because each costs an answer of the model. */
export class TextLimits {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #budget: TextBudget;
  /** Times of the texts of the last ten minutes. */
  #recent: number[] = [];
  #count: number;

  constructor({ clock, budget, earlierTexts }: TextLimitsParts) {
    this.#clock = clock;
    this.#budget = budget;
    this.#count = earlierTexts;
  }

  /** Counts one more text. Returns why it must be ignored instead; null: it is accepted. */
  add(): IgnoreReason | null {
    const now = this.#clock.elapsed();
    this.#recent = this.#recent.filter((at) => now - at < 10 * MINUTE_MS);
    const why = this.#refusal(now);
    if (why !== null) return why;
    this.#recent.push(now);
    this.#count += 1;
    this.#budget.add({ texts: 1 });
    return null;
  }

  #refusal(now: number): IgnoreReason | null {
    const { textsPerTenMinutes, textsLeft } = this.#budget;
    if (this.#count >= PER_CALL) return 'too_many';
    if (this.#recent.length >= (textsPerTenMinutes ?? Infinity) || textsLeft <= 0)
      return 'too_often';
    const ofMinute = this.#recent.filter((at) => now - at < MINUTE_MS);
    return ofMinute.length >= PER_MINUTE ? 'too_fast' : null;
  }
}
