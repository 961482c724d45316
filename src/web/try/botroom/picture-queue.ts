/** Pictures of 2.4 seconds. A hidden page draws none. */
const MAX_WAITING = 60;

/** Holds pictures until they are due. The newest due picture wins. */
export class PictureQueue<Picture> {
  #waiting: { at: number; picture: Picture }[] = [];

  push(at: number, picture: Picture): void {
    this.#waiting.push({ at, picture });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  /** Takes the newest picture due at `now`, and drops all that came before it. */
  take(now: number): Picture | null {
    const newest = this.#waiting.findLastIndex(({ at }) => at <= now);
    return this.#waiting.splice(0, newest + 1).at(-1)?.picture ?? null;
  }
}
