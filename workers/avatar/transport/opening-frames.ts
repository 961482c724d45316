import type { Clock } from '#shared/clock.ts';

/** An I420 picture: luma, then both chroma planes at half the size. */
export type Picture = { i420: Uint8Array; width: number; height: number };

/** How often a frame is sent within its frame interval. */
const TIMES = 4;
/** For the negotiation that follows when the media server has taken the tracks. */
const NEGOTIATION_MS = 250;
/** Even, as chroma has half the rows. */
const ROWS_LESS = 2;

/**
 * A track's frames while it is being published, so that viewers soon see one.
 *
 * Each frame is repeated within its interval: the SDK drops frames until its encoder is ready.
 * Later it drops the repeated frames, which exceed the frame rate.
 *
 * Every other frame is two rows shorter: the encoder answers a change of size with a key frame.
 * LiveKit 1.11 may drop the first key frame, and libwebrtc ignores requests for another one for
 * 300 ms.
 */
export class OpeningFrames {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #cancels: (() => void)[] = [];
  #cancelEnd: (() => void) | null = null;
  #isShorter = true;
  #isOver = false;

  constructor(clock: Clock, fps: number) {
    this.#clock = clock;
    this.#intervalMs = 1000 / fps;
  }

  /**
   * Sends one frame, and repeats it until the next one: with times after `atMs` and before that of
   * the next. Pictures share the memory of `picture` where they have the same size.
   */
  show(picture: Picture, atMs: number, send: (picture: Picture, atMs: number) => void): void {
    this.#cancel();
    if (this.#isOver) return send(picture, atMs);
    this.#isShorter = !this.#isShorter;
    const shown = this.#isShorter ? shorten(picture) : picture;
    send(shown, atMs);
    const sinceMs = this.#clock.elapsed() - atMs;
    for (let part = 1; part < TIMES; part++) {
      const afterMs = (this.#intervalMs * part) / TIMES;
      if (afterMs < sinceMs) continue;
      this.#cancels.push(this.#clock.after(afterMs - sinceMs, () => send(shown, atMs + afterMs)));
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

/** Without the lowest rows. */
function shorten({ i420, width, height }: Picture): Picture {
  const rows = height - ROWS_LESS;
  const luma = width * height;
  const chroma = luma / 4;
  const chromaLeft = (width * rows) / 4;
  const left = new Uint8Array((width * rows * 3) / 2);
  left.set(i420.subarray(0, width * rows));
  left.set(i420.subarray(luma, luma + chromaLeft), width * rows);
  left.set(i420.subarray(luma + chroma, luma + chroma + chromaLeft), width * rows + chromaLeft);
  return { i420: left, width, height: rows };
}
