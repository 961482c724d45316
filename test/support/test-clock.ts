import type { Clock } from '#shared/clock.ts';

type Timer = { dueAt: number; everyMs: number | null; run: () => void };

/** Stands still until a test advances it. Timers due at the same time run in order. */
export class TestClock implements Clock {
  #elapsed = 0;
  readonly #startedAt: number;
  #timers: Timer[] = [];

  constructor(startedAt = Date.UTC(2026, 0, 1, 12)) {
    this.#startedAt = startedAt;
  }

  now(): number {
    return this.#startedAt + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(ms: number, run: () => void): () => void {
    return this.#add({ dueAt: this.#elapsed + Math.max(0, ms), everyMs: null, run });
  }

  every(ms: number, run: () => void): () => void {
    return this.#add({ dueAt: this.#elapsed + ms, everyMs: ms, run });
  }

  #add(timer: Timer): () => void {
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((candidate) => candidate !== timer);
    };
  }

  /** Pending timers. 0 after a test has closed everything. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Timers due in exactly this time. */
  dueIn(ms: number): number {
    return this.#timers.filter(({ dueAt }) => dueAt === this.#elapsed + ms).length;
  }

  /** Time until the next timer, or null. */
  get nextInMs(): number | null {
    return this.waiting > 0
      ? Math.min(...this.#timers.map(({ dueAt }) => dueAt)) - this.#elapsed
      : null;
  }

  /** Runs due timers, each at its own time, also new ones. Promises do not settle in between. */
  advance(ms: number): void {
    const until = this.#elapsed + ms;
    while (this.#runNext(until));
    this.#elapsed = until;
  }

  /** Like `advance`, but a repeating timer runs once, late, instead of thousands of times a day. */
  leap(ms: number): void {
    const until = this.#elapsed + ms;
    for (const timer of this.#timers)
      if (timer.everyMs !== null) timer.dueAt = Math.max(timer.dueAt, until);
    this.advance(ms);
  }

  /** Moves time without running timers, as in a busy process. Due timers run late. */
  stall(ms: number): void {
    this.#elapsed += ms;
    this.advance(0);
  }

  /** Like `advance`, but settles promises and in-memory streams between timers. */
  async pass(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await settle();
    while (this.#runNext(until)) await settle();
    this.#elapsed = until;
    await settle();
  }

  #runNext(until: number): boolean {
    const nextTimer = this.#timers.reduce<Timer | null>(
      (earliest, timer) => (earliest && earliest.dueAt <= timer.dueAt ? earliest : timer),
      null,
    );
    if (!nextTimer || nextTimer.dueAt > until) return false;
    this.#timers = this.#timers.filter((timer) => timer !== nextTimer);
    this.#elapsed = Math.max(this.#elapsed, nextTimer.dueAt);
    if (nextTimer.everyMs !== null) {
      nextTimer.dueAt += nextTimer.everyMs;
      this.#timers.push(nextTimer);
    }
    nextTimer.run();
    return true;
  }
}

/** Lets all pending promise chains run until they wait for something else. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
