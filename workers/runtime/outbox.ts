/*
 * Reports wait here from the moment they are true until the gateway has acknowledged them. They are sent at once when there is a connection,
 * again on every new connection, and again when no answer came for a while (the gateway could not record it).
 */
import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';

type Report = { id: string; agoMs: number };

/** What happened, before it is given an id and an age. */
export type Happening<Kind extends Report> = Kind extends Report
  ? Omit<Kind, 'id' | 'agoMs'>
  : never;

type Entry<Kind> = { report: Kind; happenedAt: number };

export type OutboxOptions<Kind> = {
  clock: Clock;
  /** False when there is no connection: the report stays here. */
  send: (report: Kind) => boolean;
  resendMs?: number;
};

export class Outbox<Kind extends Report> {
  readonly #clock: Clock;
  readonly #send: (report: Kind) => boolean;
  readonly #resendMs: number;
  readonly #entries = new Map<string, Entry<Kind>>();
  readonly #onEmpty = new Set<() => void>();
  #cancelResend: (() => void) | null = null;

  constructor({ clock, send, resendMs = 5_000 }: OutboxOptions<Kind>) {
    this.#clock = clock;
    this.#send = send;
    this.#resendMs = resendMs;
  }

  /** What is true while the gateway may not know it yet, in the order in which it happened. */
  get waiting(): Kind[] {
    return [...this.#entries.values()].map(({ report }) => report);
  }

  add(happening: Happening<Kind>, agoMs = 0): void {
    const report = { ...happening, id: newName('report'), agoMs: 0 } as unknown as Kind;
    const entry = { report, happenedAt: this.#clock.elapsed() - agoMs };
    this.#entries.set(report.id, entry);
    this.#transmit(entry);
    this.#resendLater();
  }

  acknowledge(id: string): void {
    this.#entries.delete(id);
    this.#notice();
  }

  /** They are not ours to say any more. */
  forget(isTheirs: (report: Kind) => boolean): void {
    for (const [id, { report }] of this.#entries) if (isTheirs(report)) this.#entries.delete(id);
    this.#notice();
  }

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

  #transmit({ report, happenedAt }: Entry<Kind>): void {
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
