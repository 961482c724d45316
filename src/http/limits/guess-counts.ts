import type { Clock } from '#shared/clock.ts';
import { FORGET_MS, MAX_COUNT, waitAfter } from '#shared/guess-waits.ts';

/** Upper bound, to limit memory. */
const MAX_NAMES = 10_000;

/** `count`: of wrong guesses, at `waitsUntil`. */
type Count = { count: number; waitsUntil: number };

/** Counts and waits of this control plane. `guesses.ts` has the rule. */
export class GuessCounts {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #counts = new Map<string, Count>();
  readonly #marks = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Milliseconds that the name waits. Counts a wrong guess unless it waits. */
  settle(name: string, isWrong: boolean): number {
    const now = this.#clock.elapsed();
    const { count, waitsUntil } = this.#counts.get(name) ?? { count: 0, waitsUntil: now };
    if (waitsUntil > now) return waitsUntil - now;
    if (!isWrong) return 0;
    const remembered = Math.max(0, count - (now - waitsUntil) / FORGET_MS);
    const newCount = Math.min(MAX_COUNT, remembered + 1);
    put(this.#counts, name, { count: newCount, waitsUntil: now + waitAfter(newCount) });
    return 0;
  }

  mark(name: string, ms: number): void {
    put(this.#marks, name, this.#clock.elapsed() + ms);
  }

  isMarked(name: string): boolean {
    return (this.#marks.get(name) ?? 0) > this.#clock.elapsed();
  }
}

/** Set last, so that the oldest comes first. */
function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
  if (map.size > MAX_NAMES) map.delete(map.keys().next().value!);
}
