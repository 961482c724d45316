import type { Clock } from '#shared/clock.ts';
import {
  advance,
  initialPlayback,
  positionsAt,
  type PlaybackEffect,
  type PlaybackEvent,
} from './playback-state.ts';

interface PlaybackListener {
  playbackStarted(segment: number): void;
  playbackFinished(event: { positionSeconds: number; interrupted: boolean }, segment: number): void;
}

/**
 * Tracks how much of each segment was played, from its header until it is finished. Finishes each
 * segment exactly once, in order: when its last run has been played, or as interrupted on `cut`.
 * After `hold`, only `cut` finishes segments.
 */
export class Playback {
  readonly #clock: Clock;
  readonly #listener: PlaybackListener;
  #state = initialPlayback;
  #cancelTimer = () => {};

  constructor(clock: Clock, listener: PlaybackListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Seconds played of each open segment. */
  get positions(): number[] {
    return positionsAt(this.#state, this.#clock.elapsed());
  }

  open(segment: number): void {
    this.#handle({ type: 'opened', segment });
  }

  /** `lengthMs` of the segment play from `fromMs`. */
  schedule(segment: number, fromMs: number, lengthMs: number): void {
    this.#handle({ type: 'scheduled', segment, run: { fromMs, lengthMs } });
  }

  /** All audio not played yet plays `byMs` later than planned. */
  move(byMs: number): void {
    this.#handle({ type: 'moved', byMs });
  }

  /** All audio of the segment is in the source. */
  complete(segment: number): void {
    this.#handle({ type: 'completed', segment });
  }

  /** The source was emptied: finishes all segments, as interrupted unless played to the end. */
  cut(): void {
    this.#handle({ type: 'cut' });
  }

  /** The source was emptied for good. Open segments stay open: another worker finishes them. */
  hold(): void {
    this.#handle({ type: 'held' });
  }

  close(): void {
    this.#cancelTimer();
    this.#state = initialPlayback;
  }

  #handle(event: PlaybackEvent): void {
    this.#cancelTimer();
    const { state, effects, wakeAtMs } = advance(this.#state, event, this.#clock.elapsed());
    this.#state = state;
    if (wakeAtMs !== null) this.#wakeAt(wakeAtMs);
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: PlaybackEffect): void {
    switch (effect.type) {
      case 'report_started':
        return this.#listener.playbackStarted(effect.segment);
      case 'report_finished': {
        const { segment, positionSeconds, interrupted } = effect;
        return this.#listener.playbackFinished({ positionSeconds, interrupted }, segment);
      }
    }
  }

  #wakeAt(atMs: number): void {
    const waitMs = Math.max(0, atMs - this.#clock.elapsed());
    this.#cancelTimer = this.#clock.after(waitMs, () => this.#handle({ type: 'time_passed' }));
  }
}
