import type { Clock } from '#shared/clock.ts';
import type { Quality } from '#protocol/qualities.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Load } from '#protocol/worker/worker-messages.ts';

export type FrameTimes = {
  /** Share of late frames, 0..1. */
  lateFrames: number;
  /** Mean frames per second of a session. Null when no frame was shown. */
  frameRate: number | null;
  quality?: Quality;
  /** Mean delay of video behind audio in milliseconds, one for each session that spoke. */
  avOffsetsMs?: number[];
};

type LoadReportsParts = {
  clock: Clock;
  send: (load: Load) => void;
  /** Frame timing since the last call. */
  frames?: (() => FrameTimes) | undefined;
  everyMs?: number | undefined;
  performing: () => Placement[];
  /** `leftMs`: null when not draining. */
  drain: () => { hasBegun: boolean; leftMs: number | null };
};

const EVERY_MS = 5_000;

/**
 * Reports the worker's load on each change, and periodically with its sessions. The control plane
 * takes sessions that an old list lacks for lost, so changes must not postpone the next list.
 */
export class LoadReports {
  readonly #parts: LoadReportsParts;
  #isPeriodic = false;
  #isClosed = false;
  #cancelTimer: () => void = () => {};

  constructor(parts: LoadReportsParts) {
    this.#parts = parts;
  }

  /** Call on a change. The first call also starts the periodic reports. */
  send(): void {
    if (this.#isClosed) return;
    this.#report('counts');
    if (this.#isPeriodic) return;
    this.#isPeriodic = true;
    this.#reportLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  #reportLater(): void {
    const { clock, everyMs = EVERY_MS } = this.#parts;
    this.#cancelTimer = clock.after(everyMs, () => {
      this.#report('all');
      this.#reportLater();
    });
  }

  #report(content: 'counts' | 'all'): void {
    const { send, frames, performing, drain } = this.#parts;
    const { lateFrames, frameRate, quality, avOffsetsMs = [] } = frames?.() ?? nothingShown;
    const { hasBegun: draining, leftMs: drainLeftMs } = drain();
    const sessions = performing();
    send({
      type: 'load',
      performing: sessions.length,
      lateFrames,
      draining,
      ...(drainLeftMs !== null && { drainLeftMs }),
      ...(frameRate !== null && { frameRate }),
      ...(quality && { quality }),
      ...(avOffsetsMs.length > 0 && { avOffsetsMs }),
      ...(content === 'all' && { sessions }),
    });
  }
}

const nothingShown: FrameTimes = { lateFrames: 0, frameRate: null };
