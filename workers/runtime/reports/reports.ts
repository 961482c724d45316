import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Ended, Started } from '#protocol/worker/worker-messages.ts';
import { Outbox } from './outbox.ts';

type End = {
  reason: EndReason;
  detail?: string | undefined;
  agoMs?: number | undefined;
};

type ReportsOptions = {
  clock: Clock;
  /** False without a connection. */
  send: (report: Started | Ended) => boolean;
  resendMs?: number | undefined;
};

/** `started` and `ended` reports of this worker's sessions, each kept until acknowledged. */
export class Reports {
  readonly #outbox: Outbox<Started | Ended>;

  constructor({ clock, send, resendMs }: ReportsOptions) {
    this.#outbox = new Outbox({ clock, send, ...(resendMs !== undefined && { resendMs }) });
  }

  started(placement: Placement): void {
    this.#outbox.add({ type: 'started', placement });
  }

  /** A placement ends once; only the first reason is reported. */
  ended(placement: Placement, { reason, detail, agoMs }: End): void {
    if (this.hasEnd(placement)) return;
    this.#outbox.add({ type: 'ended', placement, reason, ...(detail && { detail }) }, agoMs);
  }

  hasEnd(placement: Placement): boolean {
    return this.ends.some((ended) => isSame(ended, placement));
  }

  /** Placements that ended here without acknowledgement yet. */
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

  /** Drops the reports of a placement that another worker has taken over. */
  forget(placement: Placement): void {
    this.#outbox.forget((report) => isSame(report.placement, placement));
  }

  /** Resolves to true when everything is acknowledged, to false after `waitMs`. */
  acknowledged(waitMs: number): Promise<boolean> {
    return this.#outbox.emptied(waitMs);
  }

  close(): void {
    this.#outbox.close();
  }
}

const isSame = (a: Placement, b: Placement): boolean =>
  a.sessionId === b.sessionId && a.epoch === b.epoch;
