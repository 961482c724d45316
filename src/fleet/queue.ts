import type { Clock } from '#shared/clock.ts';

/**
 * After the start and after each disconnect, how long requests that no connected worker fits may
 * wait for workers to return.
 */
export const GRACE_MS = 3_000;

type WaitOptions = {
  waitMs: number;
  /** Requests with equal keys are interchangeable. */
  kind: string;
  /** Accounts take turns. */
  account: string;
  isUrgent?: boolean;
  signal?: AbortSignal;
};

type Waiter<Request, Grant> = {
  request: Request;
  kind: string;
  since: number;
  /** False: the wait has already ended. */
  settle: (grant: Grant | null) => boolean;
};

export type Depth = { waiting: number; oldestWaitMs: number };

type Line<Request, Grant> = Set<Waiter<Request, Grant>>;

/**
 * Requests that wait for a slot. Urgent requests come first; then accounts take turns. Requests of
 * one account keep their order. A request that no free slot fits does not block later ones. A wait
 * ends with a grant, or with null when it times out, is aborted, the queue closes or, unless
 * urgent, more than `maxWaiting` requests wait.
 */
export class SlotQueue<Request, Grant> {
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  readonly #serve: (queue: SlotQueue<Request, Grant>) => void;
  readonly #urgent: Line<Request, Grant> = new Set();
  /** In the order of their turns: an account moves to the end after each grant. */
  readonly #accounts = new Map<string, Line<Request, Grant>>();
  #length = 0;
  #isClosed = false;

  /**
   * `serve` runs for each new request and when a slot may be free. It calls `next` until no request
   * can be granted.
   */
  constructor(clock: Clock, maxWaiting: number, serve: (queue: SlotQueue<Request, Grant>) => void) {
    this.#clock = clock;
    this.#maxWaiting = maxWaiting;
    this.#serve = serve;
  }

  get length(): number {
    return this.#length;
  }

  /** Groups the requests by `nameOf`; skips those for which it returns null. */
  depths(nameOf: (request: Request) => string | null): Map<string, Depth> {
    const depths = new Map<string, Depth>();
    const now = this.#clock.elapsed();
    for (const line of this.#lines()) {
      for (const { request, since } of line) {
        const name = nameOf(request);
        if (name === null) continue;
        const { waiting, oldestWaitMs } = depths.get(name) ?? { waiting: 0, oldestWaitMs: 0 };
        const longestWaitMs = Math.max(oldestWaitMs, now - since);
        depths.set(name, { waiting: waiting + 1, oldestWaitMs: longestWaitMs });
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

  /** Call when a slot may be free. */
  serve(): void {
    this.#serve(this);
  }

  /** The next request in turn. Skips the kinds in `lacking`, which have no free slot. */
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

  /** False: it was already removed. */
  #remove(waiter: Waiter<Request, Grant>, { isUrgent = false, account }: WaitOptions): boolean {
    const line = isUrgent ? this.#urgent : this.#accounts.get(account);
    if (!line?.delete(waiter)) return false;
    this.#length -= 1;
    if (!isUrgent && line.size === 0) this.#accounts.delete(account);
    return true;
  }

  /** Moves the account to the end. */
  #endTurn({ isUrgent = false, account }: WaitOptions): void {
    const line = isUrgent ? undefined : this.#accounts.get(account);
    if (!line) return;
    this.#accounts.delete(account);
    this.#accounts.set(account, line);
  }
}

/** Serves synchronously. `grant` reserves a slot, or returns null. */
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
