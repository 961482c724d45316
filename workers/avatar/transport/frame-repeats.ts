import type { Clock } from '#shared/clock.ts';

/** How often a frame is sent within its frame interval. */
const TIMES = 4;
/** For the negotiation that follows when the media server has taken the tracks. */
const NEGOTIATION_MS = 250;

/**
 * Repeats each frame within its interval while the track is being published. The SDK drops frames
 * until its encoder is ready, and viewers first see the next frame after that. Later it drops the
 * repeated frames, which exceed the frame rate.
 */
export class FrameRepeats {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #cancels: (() => void)[] = [];
  #cancelEnd: (() => void) | null = null;
  #isOver = false;

  constructor(clock: Clock, fps: number) {
    this.#clock = clock;
    this.#intervalMs = 1000 / fps;
  }

  /** Call for each frame. `send` gets times after `atMs` and before the next frame. */
  follow(atMs: number, send: (atMs: number) => void): void {
    this.#cancel();
    if (this.#isOver) return;
    const sinceMs = this.#clock.elapsed() - atMs;
    for (let part = 1; part < TIMES; part++) {
      const afterMs = (this.#intervalMs * part) / TIMES;
      if (afterMs < sinceMs) continue;
      this.#cancels.push(this.#clock.after(afterMs - sinceMs, () => send(atMs + afterMs)));
    }
  }

  /** Call when the tracks are published. */
  stopSoon(): void {
    if (!this.#isOver) this.#cancelEnd = this.#clock.after(NEGOTIATION_MS, () => this.stop());
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelEnd?.();
    this.#cancel();
  }

  #cancel(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
  }
}
