import type { Clock } from '#shared/clock.ts';

export type WaitOptions = { waitMs: number; isUrgent?: boolean; signal?: AbortSignal };

type Waiter<Request, Grant> = {
  request: Request;
  isUrgent: boolean;
  settle: (grant: Grant | null) => void;
};

/**
 * Who waits for a slot: the urgent ones first, then in the order they came. One that nothing fits does not hold up those behind it.
 * A wait ends with a grant, or with null when its time is over, its signal aborts or the queue closes.
 */
export class SlotQueue<Request, Grant> {
  readonly #clock: Clock;
  readonly #grant: (request: Request) => Grant | null;
  /** In the order of service. Replaced, never changed: a round goes over those that waited when it began. */
  #waiters: Waiter<Request, Grant>[] = [];
  #isClosed = false;

  /** `grant` takes a slot for the request, or returns null and takes nothing. */
  constructor(clock: Clock, grant: (request: Request) => Grant | null) {
    this.#clock = clock;
    this.#grant = grant;
  }

  get length(): number {
    return this.#waiters.length;
  }

  wait(request: Request, { waitMs, isUrgent = false, signal }: WaitOptions): Promise<Grant | null> {
    if (this.#isClosed || signal?.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiter: Waiter<Request, Grant> = {
        request,
        isUrgent,
        settle: (grant) => {
          cancel();
          signal?.removeEventListener('abort', giveUp);
          this.#remove(waiter);
          resolve(grant);
        },
      };
      const giveUp = () => waiter.settle(null);
      const cancel = this.#clock.after(waitMs, giveUp);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#insert(waiter);
      this.serve();
      if (waitMs <= 0) giveUp();
    });
  }

  /** A slot may have come free. */
  serve(): void {
    for (const waiter of this.#waiters) {
      const grant = this.#grant(waiter.request);
      if (grant !== null) waiter.settle(grant);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiters) waiter.settle(null);
  }

  #insert(waiter: Waiter<Request, Grant>): void {
    const urgent = this.#waiters.filter((other) => other.isUrgent);
    const others = this.#waiters.filter((other) => !other.isUrgent);
    this.#waiters = waiter.isUrgent
      ? [...urgent, waiter, ...others]
      : [...urgent, ...others, waiter];
  }

  #remove(waiter: Waiter<Request, Grant>): void {
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
  }
}
