import type { Clock } from '#shared/clock.ts';
import type { Placement } from '#protocol/worker-messages.ts';

/** One still serves all who look within this time, so a worker takes no more of a session. */
export const STILL_EVERY_MS = 4_000;

type StillsParts = {
  clock: Clock;
  ask: (placement: Placement) => void;
  /** Time for the worker's answer. */
  answerMs: number;
};

type Still = {
  jpeg: Promise<string | null>;
  settle: (jpeg: string | null) => void;
  forget: () => void;
};

/**
 * Pictures of the sessions of one connection, in base64. Taken only when somebody asks, and forgotten
 * after `STILL_EVERY_MS`.
 */
export class Stills {
  readonly #parts: StillsParts;
  readonly #taken = new Map<string, Still>();

  constructor(parts: StillsParts) {
    this.#parts = parts;
  }

  /** Null: the worker shows nothing, or did not answer in time. */
  of(placement: Placement): Promise<string | null> {
    const key = keyOf(placement);
    const known = this.#taken.get(key);
    if (known) return known.jpeg;
    const still = this.#waitFor(key);
    this.#taken.set(key, still);
    this.#parts.ask(placement);
    return still.jpeg;
  }

  /** The worker's answer. */
  taken(placement: Placement, jpeg: string | null): void {
    this.#taken.get(keyOf(placement))?.settle(jpeg);
  }

  close(): void {
    for (const { settle, forget } of this.#taken.values()) {
      settle(null);
      forget();
    }
  }

  #waitFor(key: string): Still {
    const { clock, answerMs } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const cancelWait = clock.after(answerMs, () => resolve(null));
    const forget = () => {
      cancelWait();
      cancelForget();
      this.#taken.delete(key);
    };
    const cancelForget = clock.after(STILL_EVERY_MS, forget);
    return {
      jpeg: promise,
      settle: (jpeg) => {
        cancelWait();
        resolve(jpeg);
      },
      forget,
    };
  }
}

const keyOf = ({ sessionId, epoch }: Placement): string => `${sessionId} ${epoch}`;
