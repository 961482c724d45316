import type { EndReason } from '#shared/end-reasons.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { Performance } from '../../workers/link/performance.ts';

/** A performance that a test directs; by itself it obeys. */
export class ToldPerformance implements Performance {
  readonly assign: Assign;
  /** The room gave it a token that lasts longer. */
  readonly renew: (token: string) => void;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #closed = Promise.withResolvers<void>();
  readonly seen: string[] = [];
  isSlowToLeave = false;
  isSlowToClose = false;

  constructor(assign: Assign, onRenewed: (token: string) => void = () => {}) {
    this.assign = assign;
    this.renew = onRenewed;
  }

  get started() {
    return this.#started.promise;
  }

  get ended() {
    return this.#ended.promise;
  }

  start(): void {
    this.#started.resolve();
  }

  finish(reason: EndReason): void {
    this.#ended.resolve(reason);
  }

  fail(error: Error): void {
    this.#ended.reject(error);
  }

  closeAtLast(): void {
    this.#closed.resolve();
  }

  end(reason: EndReason): void {
    this.seen.push(`end ${reason}`);
    if (!this.isSlowToLeave) this.finish(reason);
  }

  drop(): void {
    this.seen.push('drop');
  }

  async close(): Promise<void> {
    this.seen.push('close');
    if (this.isSlowToClose) await this.#closed.promise;
  }
}
