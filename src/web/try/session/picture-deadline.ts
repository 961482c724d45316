type Parts = {
  isSeen: () => boolean;
  /** Asks the service, and closes the session if it has ended. Errors are ignored. */
  hasEnded: () => Promise<boolean>;
  onLate: () => void;
};

const ASK_EVERY_MS = 1000;

/** Waits for a picture. Meanwhile asks once a second whether the session has ended. */
export class PictureDeadline {
  readonly #parts: Parts;
  #cancel = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Replaces the previous deadline. A picture that is already seen needs none. */
  expect(withinMs: number): void {
    this.cancel();
    const { isSeen, hasEnded, onLate } = this.#parts;
    if (isSeen()) return;
    const lastAt = performance.now() + withinMs;
    let isCancelled = false;
    const look = async () => {
      if (performance.now() > lastAt) return onLate();
      // The control plane may be briefly unavailable, too.
      const isOver = await hasEnded().catch(() => false);
      if (!isCancelled && !isOver) timer = setTimeout(look, ASK_EVERY_MS);
    };
    let timer = setTimeout(look, ASK_EVERY_MS);
    this.#cancel = () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }

  cancel(): void {
    this.#cancel();
  }
}
