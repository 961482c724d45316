import type { Clock } from '#shared/clock.ts';

/** Confirmations this close together may all have waited for one stall. */
const APART_MS = 40;
/** The source plays in steps of 10 ms, and each correction makes the mouth jump. */
const TOLERATED_MS = 20;
/** How often turns of the event loop are recorded while a confirmation is overdue. */
const TICK_MS = 10;

type Confirmation = { dueMs: number; movedBefore: number; turns: number[]; cancel: () => void };
/** Lower and upper bound of the source's delay, confirmed at `at`. */
type Bounds = { at: number; leastMs: number; mostMs: number };

/**
 * Measures how much later than planned the audio source plays, from the times of its confirmations.
 * The source's own threads have been seen up to 200 ms late under a burst of incoming speech. The
 * same burst keeps the event loop busy, so a confirmation is only known to have come after a
 * turn of the loop without it (lower bound) and before the turn that delivered it (upper bound).
 *
 * The source never confirms early, so a confirmation before its time corrects the plan at once. The
 * SDK may delay one, so a late source is proven by two that agree and do not come together.
 */
export class SourceLag {
  readonly #clock: Clock;
  readonly #onMove: (byMs: number) => void;
  readonly #expected = new Set<Confirmation>();
  /** The confirmation before `#latest`, and apart from it. */
  #earlier: Bounds | null = null;
  #latest: Bounds | null = null;
  #movedMs = 0;

  /** `onMove`: all audio not played yet plays `byMs` later than planned. */
  constructor(clock: Clock, onMove: (byMs: number) => void) {
    this.#clock = clock;
    this.#onMove = onMove;
  }

  /** Expects a confirmation at `dueMs`. Call the returned function when it arrives. */
  expect(dueMs: number): () => void {
    const expected: Confirmation = {
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
    this.#forgetBounds();
  }

  #recordTurns(expected: Confirmation, inMs: number): void {
    expected.cancel = this.#clock.after(Math.max(0, inMs), () => {
      expected.turns.push(this.#clock.elapsed());
      this.#recordTurns(expected, TICK_MS);
    });
  }

  #confirmed(expected: Confirmation): void {
    if (!this.#expected.delete(expected)) return;
    expected.cancel();
    const plannedMs = expected.dueMs + this.#movedMs - expected.movedBefore;
    const at = this.#clock.elapsed();
    // The confirmation may already have been in flight at the latest turn.
    const withoutIt = expected.turns.at(-2) ?? -Infinity;
    this.#remember({ at, leastMs: withoutIt - plannedMs, mostMs: at - plannedMs });
    const byMs = this.#provenMs();
    if (byMs === null) return;
    this.#forgetBounds();
    this.#movedMs += byMs;
    this.#onMove(byMs);
  }

  /** Keeps the least late of confirmations that come together: it bounds the delay best. */
  #remember(bounds: Bounds): void {
    const latest = this.#latest;
    if (latest && bounds.at - latest.at < APART_MS) {
      if (bounds.mostMs < latest.mostMs) this.#latest = { ...bounds, at: latest.at };
      return;
    }
    this.#earlier = latest;
    this.#latest = bounds;
  }

  #provenMs(): number | null {
    const [earlier, latest] = [this.#earlier, this.#latest];
    if (latest && latest.mostMs < -TOLERATED_MS) return latest.mostMs;
    if (!earlier || !latest) return null;
    const byMs = Math.min(earlier.mostMs, latest.mostMs);
    // After a stall of the whole process, the first late confirmation proves nothing.
    const isLate = byMs > TOLERATED_MS && Math.max(earlier.leastMs, latest.leastMs) > TOLERATED_MS;
    return isLate ? byMs : null;
  }

  #forgetBounds(): void {
    this.#earlier = null;
    this.#latest = null;
  }
}
