import type { Clock } from '#shared/clock.ts';

export type WaitOptions = {
  waitMs: number;
  /** What is granted to one of a kind fits all of it, and what is not is not tried for another one. */
  kind: string;
  /** Whose turn it is goes round among these. */
  account: string;
  isUrgent?: boolean;
  signal?: AbortSignal;
};

export type Waiter<Request, Grant> = {
  request: Request;
  kind: string;
  since: number;
  /** False when its wait is over already. */
  settle: (grant: Grant | null) => boolean;
};

/** How many wait, and how long the one has that waits longest. */
export type Depth = { waiting: number; oldestWaitMs: number };

type Line<Request, Grant> = Set<Waiter<Request, Grant>>;

/**
 * Who waits for a slot: the urgent ones first, in the order they came; then one of each account in turn, those of an account in the order
 * they came. One that nothing fits does not hold up those behind it. A wait ends with a grant, or with null when its time is over, its
 * signal aborts, the queue closes or, for one that is not urgent, `maxWaiting` wait already.
 */
export class SlotQueue<Request, Grant> {
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  readonly #serve: (queue: SlotQueue<Request, Grant>) => void;
  readonly #urgent: Line<Request, Grant> = new Set();
  /** In the order of their turns: whoever got something goes to the end. */
  readonly #accounts = new Map<string, Line<Request, Grant>>();
  #length = 0;
  #isClosed = false;

  /** `serve` is run when somebody came and when a slot may have come free: it goes on with `next` until nobody can be granted anything. */
  constructor(clock: Clock, maxWaiting: number, serve: (queue: SlotQueue<Request, Grant>) => void) {
    this.#clock = clock;
    this.#maxWaiting = maxWaiting;
    this.#serve = serve;
  }

  get length(): number {
    return this.#length;
  }

  /** By what `nameOf` says of their requests; those of whom it says nothing are left out. */
  depths(nameOf: (request: Request) => string | null): Map<string, Depth> {
    const depths = new Map<string, Depth>();
    const now = this.#clock.elapsed();
    for (const line of this.#lines()) {
      for (const { request, since } of line) {
        const name = nameOf(request);
        if (name === null) continue;
        const { waiting, oldestWaitMs } = depths.get(name) ?? { waiting: 0, oldestWaitMs: 0 };
        const longest = Math.max(oldestWaitMs, now - since);
        depths.set(name, { waiting: waiting + 1, oldestWaitMs: longest });
      }
    }
    return depths;
  }

  wait(request: Request, options: WaitOptions): Promise<Grant | null> {
    const { waitMs, kind, isUrgent = false, signal } = options;
    if (this.#isClosed || signal?.aborted) return Promise.resolve(null);
    const since = this.#clock.elapsed();
    return new Promise((resolve) => {
      const waiter: Waiter<Request, Grant> = {
        request,
        kind,
        since,
        settle: (grant) => {
          cancel();
          signal?.removeEventListener('abort', giveUp);
          if (!this.#remove(waiter, options)) return false;
          if (grant !== null) this.#endTurn(options);
          resolve(grant);
          return true;
        },
      };
      const giveUp = () => void waiter.settle(null);
      const cancel = this.#clock.after(waitMs, giveUp);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#lineOf(options).add(waiter);
      this.#length += 1;
      this.serve();
      const isOneTooMany = !isUrgent && this.#length > this.#maxWaiting;
      if (waitMs <= 0 || isOneTooMany) giveUp();
    });
  }

  /** A slot may have come free. */
  serve(): void {
    this.#serve(this);
  }

  /** Whose turn it is, leaving out the kinds that are known to lack a slot now. */
  next(lacking: ReadonlySet<string>): Waiter<Request, Grant> | null {
    for (const line of this.#lines())
      for (const waiter of line) if (!lacking.has(waiter.kind)) return waiter;
    return null;
  }

  close(): void {
    this.#isClosed = true;
    for (const line of this.#lines()) for (const waiter of line) waiter.settle(null);
  }

  *#lines(): Iterable<Line<Request, Grant>> {
    yield this.#urgent;
    yield* this.#accounts.values();
  }

  #lineOf({ isUrgent = false, account }: WaitOptions): Line<Request, Grant> {
    if (isUrgent) return this.#urgent;
    const line = this.#accounts.get(account) ?? new Set();
    this.#accounts.set(account, line);
    return line;
  }

  /** False when it was removed before. */
  #remove(waiter: Waiter<Request, Grant>, { isUrgent = false, account }: WaitOptions): boolean {
    const line = isUrgent ? this.#urgent : this.#accounts.get(account);
    if (!line?.delete(waiter)) return false;
    this.#length -= 1;
    if (!isUrgent && line.size === 0) this.#accounts.delete(account);
    return true;
  }

  /** The other accounts come first now. */
  #endTurn({ isUrgent = false, account }: WaitOptions): void {
    const line = isUrgent ? undefined : this.#accounts.get(account);
    if (!line) return;
    this.#accounts.delete(account);
    this.#accounts.set(account, line);
  }
}

/** Serves in one go. `grant` takes a slot for the request, or returns null and takes nothing. */
export const grantAtOnce =
  <Request, Grant>(grant: (request: Request) => Grant | null) =>
  (queue: SlotQueue<Request, Grant>): void => {
    const lacking = new Set<string>();
    for (let waiter = queue.next(lacking); waiter; waiter = queue.next(lacking)) {
      const granted = grant(waiter.request);
      if (granted === null) lacking.add(waiter.kind);
      else waiter.settle(granted);
    }
  };
