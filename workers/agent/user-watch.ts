import type { Clock } from '#shared/clock.ts';

/** Who has asked for a call may still be choosing a microphone. */
const FIRST_MS = 2 * 60_000;

/** Watches whether the user of a call is there, and says when nobody comes back. */
export class UserWatch {
  readonly #clock: Clock;
  readonly #onGone: () => void;
  readonly #graceMs: number;
  #hasCome: boolean;
  #leftAt: number | null = null;
  #cancel: (() => void) | null = null;

  /** `hasCome`: in a call that goes on. `graceMs`: a reload, or a lost network, is no end. */
  constructor(clock: Clock, graceMs: number, hasCome: boolean, onGone: () => void) {
    this.#clock = clock;
    this.#graceMs = graceMs;
    this.#hasCome = hasCome;
    this.#onGone = onGone;
  }

  /** For how long nobody has been there. */
  get awayMs(): number {
    return this.#leftAt === null ? 0 : this.#clock.elapsed() - this.#leftAt;
  }

  present(isHere: boolean): void {
    this.#hasCome ||= isHere;
    if (isHere) {
      this.close();
      this.#leftAt = null;
    } else {
      this.#leftAt ??= this.#clock.elapsed();
      this.#cancel ??= this.#clock.after(this.#hasCome ? this.#graceMs : FIRST_MS, this.#onGone);
    }
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
