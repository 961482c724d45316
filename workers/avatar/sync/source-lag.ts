import type { Clock } from '#shared/clock.ts';

/** Confirmations that must agree: the SDK may delay a single one. */
const NEEDED = 2;
/** The source plays in steps of 10 ms, and each correction makes the mouth jump. */
const TOLERATED_MS = 20;
/** How often turns of the event loop are recorded while a confirmation is overdue. */
const TICK_MS = 10;

type Expected = { dueMs: number; movedBefore: number; turns: number[]; cancel: () => void };
/** Lower and upper bound of the source's delay. */
type Bounds = { leastMs: number; mostMs: number };

/**
 * Measures how much later than planned the audio source plays, from the times of its confirmations.
 * The source's own threads have been seen up to 200 ms late under a burst of incoming speech. The
 * same burst keeps the event loop busy, so a confirmation is only known to have come after a
 * turn of the loop without it (lower bound) and before the turn that delivered it (upper bound).
 */
export class SourceLag {
  readonly #clock: Clock;
  readonly #onMove: (byMs: number) => void;
  readonly #expected = new Set<Expected>();
  #recent: Bounds[] = [];
  #movedMs = 0;

  /** `onMove`: all audio not played yet plays `byMs` later than planned. */
  constructor(clock: Clock, onMove: (byMs: number) => void) {
    this.#clock = clock;
    this.#onMove = onMove;
  }

  /** Expects a confirmation at `dueMs`. Call the returned function when it arrives. */
  expect(dueMs: number): () => void {
    const expected: Expected = {
      dueMs,
      movedBefore: this.#movedMs,
      turns: [],
      cancel: () => {},
    };
    this.#expected.add(expected);
    this.#recordTurns(expected, dueMs - this.#clock.elapsed());
    return () => this.#confirmed(expected);
  }

  /**
   * The source was emptied: pending confirmations will not arrive, and the next speech has its own
   * plan.
   */
  forget(): void {
    for (const { cancel } of this.#expected) cancel();
    this.#expected.clear();
    this.#recent = [];
  }

  #recordTurns(expected: Expected, inMs: number): void {
    expected.cancel = this.#clock.after(Math.max(0, inMs), () => {
      expected.turns.push(this.#clock.elapsed());
      this.#recordTurns(expected, TICK_MS);
    });
  }

  #confirmed(expected: Expected): void {
    if (!this.#expected.delete(expected)) return;
    expected.cancel();
    const plannedMs = expected.dueMs + this.#movedMs - expected.movedBefore;
    // The confirmation may already have been in flight at the latest turn.
    const withoutIt = expected.turns.at(-2) ?? -Infinity;
    const bounds = { leastMs: withoutIt - plannedMs, mostMs: this.#clock.elapsed() - plannedMs };
    this.#recent = [...this.#recent, bounds].slice(-NEEDED);
    if (this.#recent.length < NEEDED) return;
    // After a stall of the whole process, the first late confirmation proves nothing.
    const isLate =
      this.#recent.every(({ mostMs }) => mostMs > TOLERATED_MS) &&
      this.#recent.some(({ leastMs }) => leastMs > TOLERATED_MS);
    const isEarly = this.#recent.every(({ mostMs }) => mostMs < -TOLERATED_MS);
    if (!isLate && !isEarly) return;
    const byMs = Math.min(...this.#recent.map(({ mostMs }) => mostMs));
    this.#recent = [];
    this.#movedMs += byMs;
    this.#onMove(byMs);
  }
}
