import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';

type Report = { id: string; agoMs: number };

/** A report without its id and age, which the outbox adds. */
type NewReport<Kind extends Report> = Kind extends Report ? Omit<Kind, 'id' | 'agoMs'> : never;

type Entry<Kind> = { report: Kind; happenedAt: number };

type OutboxOptions<Kind> = {
  clock: Clock;
  /** False without a connection: the report stays in the outbox. */
  send: (report: Kind) => boolean;
  resendMs?: number;
};

/**
 * Keeps reports until the gateway acknowledges them. A report is sent at once, again on every
 * connection, and again after `resendMs` without an answer (the gateway could not record it).
 */
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

  /** Unacknowledged reports, oldest first. */
  get waiting(): Kind[] {
    return [...this.#entries.values()].map(({ report }) => report);
  }

  add(newReport: NewReport<Kind>, agoMs = 0): void {
    const report = { ...newReport, id: newName('report'), agoMs: 0 } as unknown as Kind;
    const entry = { report, happenedAt: this.#clock.elapsed() - agoMs };
    this.#entries.set(report.id, entry);
    this.#transmit(entry);
    this.#resendLater();
  }

  acknowledge(id: string): void {
    this.#entries.delete(id);
    this.#checkEmpty();
  }

  /** Drops the matching reports: another worker reports in this one's place. */
  forget(matches: (report: Kind) => boolean): void {
    for (const [id, { report }] of this.#entries) if (matches(report)) this.#entries.delete(id);
    this.#checkEmpty();
  }

  sendAll(): void {
    for (const entry of this.#entries.values()) this.#transmit(entry);
    this.#resendLater();
  }

  /** Resolves to true when everything is acknowledged, to false after `waitMs`. */
  emptied(waitMs: number): Promise<boolean> {
    if (this.#entries.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isEmpty: boolean) => {
        cancel();
        this.#onEmpty.delete(onEmpty);
        resolve(isEmpty);
      };
      const onEmpty = () => settle(true);
      const cancel = this.#clock.after(waitMs, () => settle(false));
      this.#onEmpty.add(onEmpty);
    });
  }

  /** Drops unacknowledged reports: the gateway will notice that the worker is gone. */
  close(): void {
    this.#entries.clear();
    this.#checkEmpty();
  }

  #transmit({ report, happenedAt }: Entry<Kind>): void {
    this.#send({ ...report, agoMs: this.#clock.elapsed() - happenedAt });
  }

  #resendLater(): void {
    this.#cancelResend?.();
    this.#cancelResend =
      this.#entries.size > 0 ? this.#clock.after(this.#resendMs, () => this.sendAll()) : null;
  }

  #checkEmpty(): void {
    if (this.#entries.size > 0) return;
    this.#cancelResend?.();
    this.#cancelResend = null;
    for (const onEmpty of this.#onEmpty) onEmpty();
  }
}
