/*
 * What the gateway must know of the sessions performed here: that they began, and that they ended. Kept until it is acknowledged.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Ended, Placement, Started } from '#protocol/worker-messages.ts';
import { Outbox } from './outbox.ts';

export type ReportsOptions = {
  clock: Clock;
  /** False when there is no connection. */
  send: (report: Started | Ended) => boolean;
  resendMs?: number | undefined;
};

export class Reports {
  readonly #outbox: Outbox<Started | Ended>;

  constructor({ clock, send, resendMs }: ReportsOptions) {
    this.#outbox = new Outbox({ clock, send, ...(resendMs !== undefined && { resendMs }) });
  }

  started(placement: Placement): void {
    this.#outbox.add({ type: 'started', placement });
  }

  /** A placement ends once: what comes after the first reason is not reported. */
  ended(placement: Placement, reason: EndReason, agoMs = 0): void {
    if (!this.hasEnd(placement)) this.#outbox.add({ type: 'ended', placement, reason }, agoMs);
  }

  hasEnd(placement: Placement): boolean {
    return this.ends.some((other) => isSame(other, placement));
  }

  /** Placements that are over here while the gateway may not know it yet. */
  get ends(): Placement[] {
    return this.#outbox.waiting
      .filter(({ type }) => type === 'ended')
      .map(({ placement }) => placement);
  }

  sendAll(): void {
    this.#outbox.sendAll();
  }

  acknowledge(id: string): void {
    this.#outbox.acknowledge(id);
  }

  /** The placement is not ours to speak of any more. */
  forget(placement: Placement): void {
    this.#outbox.forget((report) => isSame(report.placement, placement));
  }

  /** Resolves when everything is acknowledged, or after `waitMs`; says which. */
  acknowledged(waitMs: number): Promise<boolean> {
    return this.#outbox.emptied(waitMs);
  }

  close(): void {
    this.#outbox.close();
  }
}

const isSame = (a: Placement, b: Placement): boolean =>
  a.sessionId === b.sessionId && a.epoch === b.epoch;
