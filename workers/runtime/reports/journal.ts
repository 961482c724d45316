import type { Clock } from '#shared/clock.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Noted } from '#protocol/worker/worker-messages.ts';

/** Events within this time are sent together. */
const GATHER_MS = 500;
/** Kept without a connection; beyond it the oldest are dropped. */
const MAX_KEPT = 300;
/** The protocol's limit for one message. */
const MAX_PER_MESSAGE = 100;

type JournalOptions = {
  placement: Placement;
  clock: Clock;
  /** False when the message cannot be sent now. */
  send: (message: Noted) => boolean;
};

/**
 * A session's events on their way to its timeline. Unacknowledged: a broken connection may lose
 * some.
 */
export class Journal {
  readonly #options: JournalOptions;
  #entries: { event: WorkerTimelineEvent; at: number }[] = [];
  #cancelTimer: (() => void) | null = null;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  record(event: WorkerTimelineEvent): void {
    const { clock } = this.#options;
    this.#entries.push({ event, at: clock.elapsed() });
    if (this.#entries.length > MAX_KEPT) this.#entries.shift();
    this.#cancelTimer ??= clock.after(GATHER_MS, () => this.flush());
  }

  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const { clock, placement, send } = this.#options;
    while (this.#entries.length > 0) {
      const now = clock.elapsed();
      const batch = this.#entries.slice(0, MAX_PER_MESSAGE);
      const happenings = batch.map(({ event, at }) => ({ ...event, agoMs: now - at }));
      if (!send({ type: 'noted', placement, happenings })) return;
      this.#entries = this.#entries.slice(batch.length);
    }
  }

  close(): void {
    this.#cancelTimer?.();
    this.#entries = [];
  }
}
