import type { Clock } from '#shared/clock.ts';

/** An older frame does not show what the user speaks of. */
const MAX_AGE_MS = 3_000;

/** The newest frame of a camera. Earlier ones are dropped. */
export class NewestFrame<Frame> {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #newest: { frame: Frame; at: number } | null = null;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  keep(frame: Frame): void {
    this.#newest = { frame, at: this.#clock.elapsed() };
  }

  /** The camera is off. */
  forget(): void {
    this.#newest = null;
  }

  /** Null: there is none, or only an old one. */
  get current(): Frame | null {
    const newest = this.#newest;
    return newest && this.#clock.elapsed() - newest.at <= MAX_AGE_MS ? newest.frame : null;
  }
}
