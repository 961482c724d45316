import type { Clock } from '#shared/clock.ts';

type Waiter = { lease: ByteLease; bytes: number; settle: (isGranted: boolean) => void };

/**
 * Bytes that requests may hold at the same time: in all, and half of it by one holder. While nobody
 * holds any, any size is granted.
 */
export class ByteBudget {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #byHolder = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #total = 0;

  constructor(limit: number, clock: Pick<Clock, 'after'>) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Bytes taken in all. */
  get total(): number {
    return this.#total;
  }

  open(holder: string): ByteLease {
    return new ByteLease(this, holder);
  }

  /** @internal */
  take(holder: string, bytes: number): boolean {
    const byHolder = this.#byHolder.get(holder) ?? 0;
    const isOver = this.#total + bytes > this.#limit || byHolder + bytes > this.#limit / 2;
    if (isOver && this.#total > 0) return false;
    this.#add(holder, bytes);
    return true;
  }

  /** @internal */
  giveBack(holder: string, bytes: number): void {
    this.#add(holder, -bytes);
    // A holder that has reached its share lets others pass.
    for (const waiter of this.#waiting) {
      if (waiter.lease.tryGrow(waiter.bytes)) waiter.settle(true);
    }
  }

  /** @internal False when `withinMs` are over or the lease is released. */
  async wait(lease: ByteLease, bytes: number, withinMs: number): Promise<boolean> {
    if (lease.tryGrow(bytes)) return true;
    return new Promise((resolve) => {
      const settle = (isGranted: boolean) => {
        cancel();
        this.#waiting.delete(waiter);
        resolve(isGranted);
      };
      const waiter: Waiter = { lease, bytes, settle };
      const cancel = this.#clock.after(withinMs, () => settle(false));
      this.#waiting.add(waiter);
    });
  }

  /** @internal */
  stopWaiting(lease: ByteLease): void {
    for (const waiter of this.#waiting) if (waiter.lease === lease) waiter.settle(false);
  }

  #add(holder: string, bytes: number): void {
    this.#total += bytes;
    const byHolder = (this.#byHolder.get(holder) ?? 0) + bytes;
    if (byHolder > 0) this.#byHolder.set(holder, byHolder);
    else this.#byHolder.delete(holder);
  }
}

/** The bytes that one request holds. */
export class ByteLease {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  #bytes = 0;
  #isReleased = false;

  constructor(budget: ByteBudget, holder: string) {
    this.#budget = budget;
    this.#holder = holder;
  }

  tryGrow(bytes: number): boolean {
    if (this.#isReleased || !this.#budget.take(this.#holder, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Waits for others to release theirs. */
  async grow(bytes: number, withinMs: number): Promise<boolean> {
    return this.#isReleased ? false : this.#budget.wait(this, bytes, withinMs);
  }

  /** May be called twice. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#budget.stopWaiting(this);
    if (this.#bytes > 0) this.#budget.giveBack(this.#holder, this.#bytes);
  }
}
