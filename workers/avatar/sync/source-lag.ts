import type { Clock } from '#shared/clock.ts';

/** Number of answers that must agree: the SDK may delay a single one. */
const ANSWERS = 2;
/** The source plays in steps of 10 ms, and the mouth jumps with each correction. */
const TOLERATED_MS = 20;
/** How often turns of the event loop are recorded while an answer is late. */
const TICK_MS = 10;

type Watch = { dueMs: number; movedBefore: number; turns: number[]; cancel: () => void };
/** How late the source is, at least and at most. */
type Bounds = { leastMs: number; mostMs: number };

/**
 * Finds out how much later than planned the audio source plays, by its answers. It takes sound in threads of its own, which a burst of incoming
 * speech has delayed by up to 200 ms. The same burst keeps the event loop busy: an answer came after the loop turned without it, which bounds
 * the lateness from below, and before it was heard, which bounds it from above.
 */
export class SourceLag {
  readonly #clock: Clock;
  readonly #onMove: (byMs: number) => void;
  readonly #watches = new Set<Watch>();
  #recent: Bounds[] = [];
  #movedMs = 0;

  /** `onMove`: everything that is planned sounds `byMs` later. */
  constructor(clock: Clock, onMove: (byMs: number) => void) {
    this.#clock = clock;
    this.#onMove = onMove;
  }

  /** An answer is due at `dueMs` by plan. Call what this returns when it comes. */
  expect(dueMs: number): () => void {
    const watch: Watch = {
      dueMs,
      movedBefore: this.#movedMs,
      turns: [],
      cancel: () => {},
    };
    this.#watches.add(watch);
    this.#noticeTurns(watch, dueMs - this.#clock.elapsed());
    return () => this.#answered(watch);
  }

  /** What was expected does not come any more, and the next speech has a plan of its own. */
  forget(): void {
    for (const { cancel } of this.#watches) cancel();
    this.#watches.clear();
    this.#recent = [];
  }

  #noticeTurns(watch: Watch, inMs: number): void {
    watch.cancel = this.#clock.after(Math.max(0, inMs), () => {
      watch.turns.push(this.#clock.elapsed());
      this.#noticeTurns(watch, TICK_MS);
    });
  }

  #answered(watch: Watch): void {
    if (!this.#watches.delete(watch)) return;
    watch.cancel();
    const plannedMs = watch.dueMs + this.#movedMs - watch.movedBefore;
    // It may have been on its way already when the loop turned last.
    const withoutIt = watch.turns.at(-2) ?? -Infinity;
    const bounds = { leastMs: withoutIt - plannedMs, mostMs: this.#clock.elapsed() - plannedMs };
    this.#recent = [...this.#recent, bounds].slice(-ANSWERS);
    if (this.#recent.length < ANSWERS) return;
    const isLate = this.#recent.every(({ leastMs }) => leastMs > TOLERATED_MS);
    const isEarly = this.#recent.every(({ mostMs }) => mostMs < -TOLERATED_MS);
    if (!isLate && !isEarly) return;
    const byMs = Math.min(...this.#recent.map(({ mostMs }) => mostMs));
    this.#recent = [];
    this.#movedMs += byMs;
    this.#onMove(byMs);
  }
}
