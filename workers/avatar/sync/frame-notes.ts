import type { Clock } from '#shared/clock.ts';
import { FrameTimes } from './frame-times.ts';

const EVERY_MS = 10_000;

type Kept = { frameRate: number; missedFrames: number };

/** How one session's frames keep time: told every ten seconds, and at the end, when it is not as the last time. */
export class FrameNotes {
  readonly #clock: Clock;
  readonly #fps: number;
  readonly #tell: (kept: Kept) => void;
  readonly #times = new FrameTimes();
  #missed = 0;
  #told = '';
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock, fps: number, tell: (kept: Kept) => void) {
    this.#clock = clock;
    this.#fps = fps;
    this.#tell = tell;
  }

  /** A frame was shown, and so many before it were not. */
  count(missed: number): void {
    this.#times.count(missed, this.#fps);
    this.#missed += missed;
    this.#cancelTimer ??= this.#clock.after(EVERY_MS, () => this.#look());
  }

  close(): void {
    this.#cancelTimer?.();
    this.#look();
  }

  #look(): void {
    this.#cancelTimer = null;
    const { frameRate } = this.#times.take();
    const missedFrames = this.#missed;
    this.#missed = 0;
    if (frameRate === null) return;
    const text = `${frameRate} ${missedFrames}`;
    if (text !== this.#told) this.#tell({ frameRate, missedFrames });
    this.#told = text;
  }
}
