import type { Clock } from '#shared/clock.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import type { Noted, Placement } from '#protocol/worker-messages.ts';

/** What happens within this time is said at once: it is for a record, nobody waits for it. */
const GATHER_MS = 500;
/** Kept while there is no connection; of more, the newest. */
const MOST_KEPT = 300;
/** Of one message. */
const MOST_SAID = 100;

export type JournalOptions = {
  placement: Placement;
  clock: Clock;
  /** False when there is nobody to hear it now. */
  send: (message: Noted) => boolean;
};

/** What happens in a session, on its way to the flight record. Never acknowledged: what is lost with a connection is missing there. */
export class Journal {
  readonly #options: JournalOptions;
  #kept: { happening: WorkerTimelineEvent; at: number }[] = [];
  #cancelTimer: (() => void) | null = null;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  note(happening: WorkerTimelineEvent): void {
    const { clock } = this.#options;
    this.#kept.push({ happening, at: clock.elapsed() });
    if (this.#kept.length > MOST_KEPT) this.#kept.shift();
    this.#cancelTimer ??= clock.after(GATHER_MS, () => this.say());
  }

  /** Now: what comes next ends the session here, or a connection stands. */
  say(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const { clock, placement, send } = this.#options;
    while (this.#kept.length > 0) {
      const now = clock.elapsed();
      const said = this.#kept.slice(0, MOST_SAID);
      const happenings = said.map(({ happening, at }) => ({ ...happening, agoMs: now - at }));
      if (!send({ type: 'noted', placement, happenings })) return;
      this.#kept = this.#kept.slice(said.length);
    }
  }

  close(): void {
    this.#cancelTimer?.();
    this.#kept = [];
  }
}
