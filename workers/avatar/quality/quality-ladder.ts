import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { QUALITY_NAMES, type Quality } from '#protocol/qualities.ts';
import type { WorkerTimelineEvent } from '#protocol/timeline.ts';
import { FrameTimes } from '../sync/frame-times.ts';
import { advanceLadder, TOP, type Ladder } from './ladder-state.ts';

const EVERY_MS = 1_000;

type QualityLadderParts = {
  clock: Clock;
  log: Log;
  /** It goes no lower. `full`: the quality never changes. */
  lowest: Quality;
};

/**
 * The quality of all sessions of this process. They share one thread, so that all of them miss
 * frames when it gets too little CPU time.
 */
export class QualityLadder {
  readonly #parts: QualityLadderParts;
  readonly #lowest: number;
  readonly #ticks = new FrameTimes();
  readonly #listeners = new Set<(quality: Quality) => void>();
  readonly #stop: () => void;
  #ladder: Ladder = TOP;

  constructor(parts: QualityLadderParts) {
    this.#parts = parts;
    this.#lowest = QUALITY_NAMES.indexOf(parts.lowest);
    this.#stop = parts.clock.every(EVERY_MS, () => this.#advance());
  }

  get quality(): Quality {
    return QUALITY_NAMES[this.#ladder.rung]!;
  }

  /**
   * A frame of a session of `fps` is due, and `missed` ones were before. Frames that a lower
   * quality leaves out count as due, so that the measure means the same at every quality.
   */
  count(missed: number, fps: number): void {
    this.#ticks.count(missed, fps);
  }

  /** Returns a function that stops listening. */
  onChange(listener: (quality: Quality) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stop();
    this.#listeners.clear();
  }

  #advance(): void {
    const { clock, log } = this.#parts;
    const { lateFrames: missed } = this.#ticks.take();
    const previousRung = this.#ladder.rung;
    this.#ladder = advanceLadder(this.#ladder, {
      missed,
      now: clock.elapsed(),
      lowest: this.#lowest,
    });
    const { quality } = this;
    const { rung } = this.#ladder;
    if (rung === previousRung) return;
    if (rung > previousRung) log.warn({ quality, missed }, 'too little CPU time: quality lowered');
    else log.info({ quality }, 'quality raised');
    for (const listener of this.#listeners) listener(quality);
  }
}

/** Records each change, and a lower quality at the start. Returns a function that stops it. */
export function recordQuality(
  ladder: Pick<QualityLadder, 'quality' | 'onChange'> | undefined,
  record: (event: WorkerTimelineEvent) => void,
): () => void {
  if (!ladder) return () => {};
  const { quality } = ladder;
  if (quality !== 'full') record({ kind: 'quality', quality });
  return ladder.onChange((changed) => record({ kind: 'quality', quality: changed }));
}
