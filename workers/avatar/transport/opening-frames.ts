import type { Clock } from '#shared/clock.ts';
import type { PictureSize } from './transport.ts';

/** How often a frame is sent within its frame interval. */
const TIMES = 4;
/** For the negotiation that follows when the media server has taken the tracks. */
const NEGOTIATION_MS = 250;
/** Even, as chroma has half the rows. */
const ROWS_LESS = 2;
/** Frames of one size before the size changes. */
const FRAMES_OF_A_SIZE = 2;

type Parts = {
  clock: Clock;
  fps: number;
  /** Gets an I420 frame, and copies it before it returns. */
  send: (i420: Uint8Array, atMs: number, size: PictureSize) => void;
};

/**
 * A track's frames while it is being published, so that viewers soon see one.
 *
 * Each frame is repeated within its interval: the SDK drops frames until its encoder is ready.
 * Later it drops the repeated frames, which exceed the frame rate.
 *
 * Two frames are whole, then two are two rows shorter, and so on: the encoder answers a change of
 * size with a key frame. LiveKit 1.11 may drop the first key frame, and libwebrtc ignores requests
 * for another one for 300 ms. With a key frame every time, the encoder exceeded its bit rate and
 * then dropped frames for 120 ms.
 */
export class OpeningFrames {
  readonly #parts: Parts;
  readonly #cancels: (() => void)[] = [];
  #cancelEnd: (() => void) | null = null;
  /** Memory of the shorter frames, each of which ends the repeats of the one before. */
  #shorter: Uint8Array | null = null;
  #frames = 0;
  #isOver = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Sends one frame, and repeats it until the next one: with times after `atMs` and before that of
   * the next. A repeated frame has the content that its memory has by then.
   */
  show(i420: Uint8Array, atMs: number, size: PictureSize): void {
    const { clock, fps, send } = this.#parts;
    if (this.#isOver) return send(i420, atMs, size);
    this.#cancel();
    const isShorter = Math.floor(this.#frames / FRAMES_OF_A_SIZE) % 2 === 1;
    this.#frames += 1;
    const sentSize = isShorter ? { ...size, height: size.height - ROWS_LESS } : size;
    const frame = isShorter ? this.#shorten(i420, size, sentSize.height) : i420;
    send(frame, atMs, sentSize);
    const sinceMs = clock.elapsed() - atMs;
    for (let part = 1; part < TIMES; part++) {
      const afterMs = (1000 / fps) * (part / TIMES);
      if (afterMs < sinceMs) continue;
      const repeat = () => send(frame, atMs + afterMs, sentSize);
      this.#cancels.push(clock.after(afterMs - sinceMs, repeat));
    }
  }

  /** Call when the tracks are published. */
  stopSoon(): void {
    if (!this.#isOver) this.#cancelEnd = this.#parts.clock.after(NEGOTIATION_MS, () => this.stop());
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelEnd?.();
    this.#cancel();
    this.#shorter = null;
  }

  #cancel(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
  }

  /** Without the lowest rows of each plane. */
  #shorten(i420: Uint8Array, { width, height }: PictureSize, rows: number): Uint8Array {
    const luma = width * height;
    const chroma = luma / 4;
    const lumaLeft = width * rows;
    const chromaLeft = lumaLeft / 4;
    const bytes = lumaLeft + 2 * chromaLeft;
    if (this.#shorter?.length !== bytes) this.#shorter = new Uint8Array(bytes);
    const shortFrame = this.#shorter;
    shortFrame.set(i420.subarray(0, lumaLeft));
    shortFrame.set(i420.subarray(luma, luma + chromaLeft), lumaLeft);
    shortFrame.set(i420.subarray(luma + chroma, luma + chroma + chromaLeft), lumaLeft + chromaLeft);
    return shortFrame;
  }
}
