import type { Clock } from '#shared/clock.ts';

/** For the user to come at all. */
const FIRST_MS = 60_000;

type Presence =
  | { type: 'unknown' }
  | { type: 'present' }
  | { type: 'absent'; since: number; cancel: () => void };

/**
 * Watches whether the user of a call is present. Calls `onGone` when the user does not come back.
 */
export class UserWatch {
  readonly #clock: Clock;
  readonly #onGone: () => void;
  readonly #graceMs: number;
  #presence: Presence = { type: 'unknown' };
  #hasCome: boolean;

  /** `hasCome`: the call is being continued. `graceMs`: time for a page reload or a reconnect. */
  constructor(clock: Clock, graceMs: number, hasCome: boolean, onGone: () => void) {
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#hasCome = hasCome;
    this.#onGone = onGone;
  }

  get hasCome(): boolean {
    return this.#hasCome;
  }

  get awayMs(): number {
    const presence = this.#presence;
    return presence.type === 'absent' ? this.#clock.elapsed() - presence.since : 0;
  }

  present(isPresent: boolean): void {
    if (isPresent) {
      this.close();
      this.#hasCome = true;
      this.#presence = { type: 'present' };
    } else if (this.#presence.type !== 'absent') {
      const waitMs = this.#hasCome ? this.#graceMs : FIRST_MS;
      const cancel = this.#clock.after(waitMs, this.#onGone);
      this.#presence = { type: 'absent', since: this.#clock.elapsed(), cancel };
    }
  }

  /** Stops the timer. `awayMs` keeps counting. */
  close(): void {
    if (this.#presence.type === 'absent') this.#presence.cancel();
  }
}
