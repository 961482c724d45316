import type { Clock } from '#shared/clock.ts';

type AskedPicturesParts = {
  clock: Clock;
  /** Time for the worker's answer. */
  answerMs: number;
  /** How long one picture serves all who ask; the worker makes no more of one name in this time. */
  keptMs: number;
};

type Asked<Picture> = {
  picture: Promise<Picture | null>;
  settle: (picture: Picture | null) => void;
  forget: () => void;
};

/** Pictures that a worker makes on request, by name. They are kept in memory for a moment. */
export class AskedPictures<Picture> {
  readonly #parts: AskedPicturesParts;
  readonly #asked = new Map<string, Asked<Picture>>();

  constructor(parts: AskedPicturesParts) {
    this.#parts = parts;
  }

  /** Null: the worker has none, or did not answer in time. `ask` sends the request. */
  of(name: string, ask: () => void): Promise<Picture | null> {
    const known = this.#asked.get(name);
    if (known) return known.picture;
    const asked = this.#waitFor(name);
    this.#asked.set(name, asked);
    ask();
    return asked.picture;
  }

  /** The worker's answer. */
  answered(name: string, picture: Picture | null): void {
    this.#asked.get(name)?.settle(picture);
  }

  close(): void {
    for (const { settle, forget } of this.#asked.values()) {
      settle(null);
      forget();
    }
  }

  #waitFor(name: string): Asked<Picture> {
    const { clock, answerMs, keptMs } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<Picture | null>();
    const cancelWait = clock.after(answerMs, () => resolve(null));
    const forget = () => {
      cancelWait();
      cancelForget();
      this.#asked.delete(name);
    };
    const cancelForget = clock.after(keptMs, forget);
    return {
      picture: promise,
      settle: (picture) => {
        cancelWait();
        resolve(picture);
      },
      forget,
    };
  }
}
