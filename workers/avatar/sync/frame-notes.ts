import type { Clock } from '#shared/clock.ts';
import { FrameTimes } from './frame-times.ts';

const EVERY_MS = 10_000;

type Rates = { frameRate: number; missedFrames: number };

/**
 * Frame rate and missed frames of one session for its timeline: every ten seconds and at the end,
 * if changed.
 */
export class FrameNotes {
  readonly #clock: Clock;
  readonly #fps: number;
  readonly #record: (rates: Rates) => void;
  readonly #times = new FrameTimes();
  #missed = 0;
  #lastText = '';
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock, fps: number, record: (rates: Rates) => void) {
    this.#clock = clock;
    this.#fps = fps;
    this.#record = record;
  }

  /** A frame was shown after `missed` frames that were not. */
  count(missed: number): void {
    this.#times.count(missed, this.#fps);
    this.#missed += missed;
    this.#cancelTimer ??= this.#clock.after(EVERY_MS, () => this.#flush());
  }

  close(): void {
    this.#cancelTimer?.();
    this.#flush();
  }

  #flush(): void {
    this.#cancelTimer = null;
    const { frameRate } = this.#times.take();
    const missedFrames = this.#missed;
    this.#missed = 0;
    if (frameRate === null) return;
    const text = `${frameRate} ${missedFrames}`;
    if (text !== this.#lastText) this.#record({ frameRate, missedFrames });
    this.#lastText = text;
  }
}
