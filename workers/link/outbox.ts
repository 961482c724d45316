/*
 * Reports wait here from the moment they are true until the gateway has acknowledged them. They are sent at once when there is a connection,
 * again on every new connection, and again when no answer came for a while (the gateway could not record it).
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import { newName } from '#shared/ids.ts';
import type { Ended, Placement, Started } from '#protocol/worker-messages.ts';

export type Report = Started | Ended;

type Entry = { report: Report; happenedAt: number };

export type OutboxOptions = {
  clock: Clock;
  /** False when there is no connection: the report stays here. */
  send: (report: Report) => boolean;
  resendMs?: number;
};

export class Outbox {
  readonly #clock: Clock;
  readonly #send: (report: Report) => boolean;
  readonly #resendMs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #onEmpty = new Set<() => void>();
  #cancelResend: (() => void) | null = null;

  constructor({ clock, send, resendMs = 5_000 }: OutboxOptions) {
    this.#clock = clock;
    this.#send = send;
    this.#resendMs = resendMs;
  }

  started(placement: Placement): void {
    this.#add({ type: 'started', id: newName('report'), placement, agoMs: 0 });
  }

  /** A placement ends once: what comes after the first reason is not reported. */
  ended(placement: Placement, reason: EndReason): void {
    if (this.hasEnd(placement)) return;
    this.#add({ type: 'ended', id: newName('report'), placement, agoMs: 0, reason });
  }

  hasEnd(placement: Placement): boolean {
    return this.endsWaiting().some((other) => isSame(other, placement));
  }

  /** Placements that are over here while the gateway may not know it yet. */
  endsWaiting(): Placement[] {
    return [...this.#entries.values()]
      .filter(({ report }) => report.type === 'ended')
      .map(({ report }) => report.placement);
  }

  acknowledge(id: string): void {
    this.#entries.delete(id);
    this.#notice();
  }

  /** The placement is not ours to speak of any more. */
  forget(placement: Placement): void {
    for (const [id, { report }] of this.#entries) {
      if (isSame(report.placement, placement)) this.#entries.delete(id);
    }
    this.#notice();
  }

  /** In the order in which things happened: `started` before `ended`. */
  sendAll(): void {
    for (const entry of this.#entries.values()) this.#transmit(entry);
    this.#resendLater();
  }

  /** Resolves when everything is acknowledged, or after `waitMs`; says which. */
  emptied(waitMs: number): Promise<boolean> {
    if (this.#entries.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (empty: boolean) => {
        cancel();
        this.#onEmpty.delete(onEmpty);
        resolve(empty);
      };
      const onEmpty = () => settle(true);
      const cancel = this.#clock.after(waitMs, () => settle(false));
      this.#onEmpty.add(onEmpty);
    });
  }

  /** What is still unacknowledged is lost: the gateway will find the worker gone. */
  close(): void {
    this.#entries.clear();
    this.#notice();
  }

  #add(report: Report): void {
    const entry = { report, happenedAt: this.#clock.elapsed() };
    this.#entries.set(report.id, entry);
    this.#transmit(entry);
    this.#resendLater();
  }

  #transmit({ report, happenedAt }: Entry): void {
    this.#send({ ...report, agoMs: this.#clock.elapsed() - happenedAt });
  }

  #resendLater(): void {
    this.#cancelResend?.();
    this.#cancelResend =
      this.#entries.size > 0 ? this.#clock.after(this.#resendMs, () => this.sendAll()) : null;
  }

  #notice(): void {
    if (this.#entries.size > 0) return;
    this.#cancelResend?.();
    this.#cancelResend = null;
    for (const onEmpty of this.#onEmpty) onEmpty();
  }
}

const isSame = (a: Placement, b: Placement): boolean =>
  a.sessionId === b.sessionId && a.epoch === b.epoch;
