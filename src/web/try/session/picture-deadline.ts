import { pause } from '../../call/connection/pause.ts';

type Parts = {
  isSeen: () => boolean;
  /** Asks the service, and closes the session if it has ended. Errors are ignored. */
  hasEnded: () => Promise<boolean>;
  onLate: () => void;
};

const POLL_MS = 1000;

/** Waits for a picture. Meanwhile asks once a second whether the session has ended. */
export class PictureDeadline {
  readonly #parts: Parts;
  #waiting = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Replaces the previous deadline. A picture that is already seen needs none. */
  expect(withinMs: number): void {
    this.cancel();
    if (this.#parts.isSeen()) return;
    this.#waiting = new AbortController();
    void this.#wait(performance.now() + withinMs, this.#waiting.signal);
  }

  cancel(): void {
    this.#waiting.abort();
  }

  async #wait(deadline: number, signal: AbortSignal): Promise<void> {
    const { hasEnded, onLate } = this.#parts;
    for (;;) {
      await pause(POLL_MS, signal);
      if (signal.aborted) return;
      if (performance.now() > deadline) return onLate();
      // The control plane may be briefly unavailable, too.
      if (await hasEnded().catch(() => false)) return;
    }
  }
}
