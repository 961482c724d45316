import type { Clock } from '#shared/clock.ts';
import type { Load, Placement } from '#protocol/worker-messages.ts';

export type FrameTimes = {
  /** Share of frames that left late, 0..1. */
  lateFrames: number;
  /** Frames a second of each session, on average; null when nothing was shown. */
  frameRate: number | null;
  /** Of each session that spoke: how much later than its sound its pictures left, in milliseconds. */
  avOffsetsMs?: number[];
};

export type LoadReportsParts = {
  clock: Clock;
  send: (load: Load) => void;
  /** How frames kept time since the last call. */
  frames?: (() => FrameTimes) | undefined;
  everyMs?: number | undefined;
  performed: () => Placement[];
  /** `leftMs`: null while there is no draining. */
  drain: () => { isBegun: boolean; leftMs: number | null };
};

const EVERY_MS = 5_000;

/** How busy this worker is: said at each change, and every few seconds with what it performs, so that the control plane sees whether it agrees. */
export class LoadReports {
  readonly #parts: LoadReportsParts;
  #isClosed = false;
  #cancelTimer: () => void = () => {};

  constructor(parts: LoadReportsParts) {
    this.#parts = parts;
  }

  say(what: 'counts' | 'all' = 'counts'): void {
    this.#cancelTimer();
    if (this.#isClosed) return;
    const { clock, send, frames, everyMs = EVERY_MS, performed, drain } = this.#parts;
    const { lateFrames, frameRate, avOffsetsMs = [] } = frames?.() ?? nothingShown;
    const { isBegun: draining, leftMs: drainLeftMs } = drain();
    const sessions = performed();
    send({
      type: 'load',
      performing: sessions.length,
      lateFrames,
      draining,
      ...(drainLeftMs !== null && { drainLeftMs }),
      ...(frameRate !== null && { frameRate }),
      ...(avOffsetsMs.length > 0 && { avOffsetsMs }),
      ...(what === 'all' && { sessions }),
    });
    this.#cancelTimer = clock.after(everyMs, () => this.say('all'));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }
}

const nothingShown: FrameTimes = { lateFrames: 0, frameRate: null };
