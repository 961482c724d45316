/** Workers that may accept a session and then fail to show its face. */
const MAX_GIVE_UPS = 3;
/** A face shown for longer resets the count. In milliseconds. */
const STEADY_MS = 60_000;

/** Ends a session that worker after worker cannot show. */
export class GiveUpLimit {
  #count = 0;
  /** Start of the current worker's performance; null before its first frame. */
  #shownAt: number | null = null;

  shown(at: number): void {
    this.#shownAt = at;
  }

  lost(): void {
    this.#shownAt = null;
  }

  /** True: the session must not be placed again. */
  gaveUp(at: number): boolean {
    if (this.#shownAt !== null && at - this.#shownAt > STEADY_MS) this.#count = 0;
    this.#shownAt = null;
    this.#count += 1;
    return this.#count >= MAX_GIVE_UPS;
  }
}
