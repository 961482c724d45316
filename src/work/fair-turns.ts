/*
 * Turns at heavy work, with fair shares by account: each account has a queue of its own, and the
 * queues are served in turn. However much one account asks for, another one waits only for what is
 * running and for one task of each account before it.
 */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';

type TurnLimits = {
  /** Tasks at a time, of all accounts together. */
  running: number;
  /** Tasks at a time of one account. Default: as many as of all. */
  perAccount?: number;
  /** Default: as long as it takes. */
  waitMs?: number;
  /** The sentence of the fault `at_capacity`. */
  refusal: string;
};

type Waiting = { start: () => void; refuse: (fault: Fault) => void };

/** `close` refuses all tasks that wait. */
export class FairTurns {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limits: TurnLimits;
  /** Tasks that wait, by account. */
  readonly #queues = new Map<string, Set<Waiting>>();
  /** Accounts that were served since all were idle; the last one comes last. */
  readonly #served = new Set<string>();
  /** Running tasks by account. */
  readonly #running = new Map<string, number>();
  #isClosed = false;

  constructor(clock: Pick<Clock, 'after'>, limits: TurnLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Runs `work` when it is its turn. Throws `at_capacity` if that does not come in time. */
  async take<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(accountId);
    try {
      return await work();
    } finally {
      this.#count(accountId, -1);
      this.#next();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { refuse } of [...this.#queues.values()].flatMap((queue) => [...queue]))
      refuse(stopping());
  }

  #turn(accountId: string): Promise<void> {
    if (this.#isClosed) throw stopping();
    if (this.#isFreeFor(accountId)) {
      this.#serve(accountId);
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#queues.get(accountId) ?? new Set<Waiting>();
    this.#queues.set(accountId, queue);
    const leave = () => {
      cancel();
      queue.delete(waiting);
      if (queue.size === 0) this.#queues.delete(accountId);
    };
    const waiting: Waiting = {
      start: () => (leave(), resolve()),
      refuse: (fault) => (leave(), reject(fault)),
    };
    const { waitMs, refusal } = this.#limits;
    const refuse = () =>
      waiting.refuse(new Fault('at_capacity', { detail: refusal, retryAfterSeconds: 10 }));
    const cancel = waitMs === undefined ? () => {} : this.#clock.after(waitMs, refuse);
    queue.add(waiting);
    return promise;
  }

  #isFreeFor(accountId: string): boolean {
    const total = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    const { running, perAccount = running } = this.#limits;
    return total < running && this.#of(accountId) < perAccount;
  }

  #next(): void {
    if (this.#running.size === 0 && this.#queues.size === 0) this.#served.clear();
    const places = new Map([...this.#served].map((accountId, at) => [accountId, at]));
    const order = (accountId: string) => places.get(accountId) ?? -1;
    const [accountId] = [...this.#queues.keys()]
      .filter((id) => this.#isFreeFor(id))
      .toSorted((a, b) => this.#of(a) - this.#of(b) || order(a) - order(b));
    if (accountId === undefined) return;
    const [waiter] = this.#queues.get(accountId)!;
    this.#serve(accountId);
    waiter!.start();
  }

  #serve(accountId: string): void {
    this.#count(accountId, 1);
    this.#served.delete(accountId);
    this.#served.add(accountId);
  }

  /** Running tasks of the account. */
  #of(accountId: string): number {
    return this.#running.get(accountId) ?? 0;
  }

  #count(accountId: string, change: 1 | -1): void {
    const count = this.#of(accountId) + change;
    if (count > 0) this.#running.set(accountId, count);
    else this.#running.delete(accountId);
  }
}

export const stopping = (): Fault =>
  new Fault('at_capacity', {
    detail: 'The service is stopping. Please try again shortly.',
    retryAfterSeconds: 2,
  });
