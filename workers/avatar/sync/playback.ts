import type { Clock } from '#shared/clock.ts';
import { AUDIO_STEP_MS } from '#protocol/audio.ts';

/** A contiguous part of a segment's audio, in media time. */
type Run = { fromMs: number; lengthMs: number };

/**
 * A segment that is not finished yet. `isComplete`: all of its audio is in the source.
 * `hasStarted`: its start was reported.
 */
type OpenSegment = { id: number; runs: Run[]; isComplete: boolean; hasStarted: boolean };

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
  #segments: OpenSegment[] = [];
  #isHeld = false;
  #cancelTimer = () => {};

  constructor(clock: Clock, listener: PlaybackListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Seconds played of each open segment. */
  get positions(): number[] {
    const now = this.#clock.elapsed();
    return this.#segments.map((segment) => playedMs(segment, now) / 1000);
  }

  open(segment: number): void {
    this.#segments.push({ id: segment, runs: [], isComplete: false, hasStarted: false });
  }

  /** `lengthMs` of the segment play from `fromMs`. */
  schedule(segment: number, fromMs: number, lengthMs: number): void {
    this.#find(segment)?.runs.push({ fromMs, lengthMs });
    this.#report();
  }

  /** All audio not played yet plays `byMs` later than planned. */
  move(byMs: number): void {
    const now = this.#clock.elapsed();
    for (const segment of this.#segments) {
      segment.runs = segment.runs.map((run) =>
        run.fromMs + run.lengthMs > now ? { ...run, fromMs: run.fromMs + byMs } : run,
      );
    }
    this.#report();
  }

  /** All audio of the segment is in the source. */
  complete(segment: number): void {
    const found = this.#find(segment);
    if (found) found.isComplete = true;
    this.#report();
  }

  /** The source was emptied: finishes all segments, as interrupted unless played to the end. */
  cut(): void {
    const now = this.#clock.elapsed();
    this.#cancelTimer();
    const cut = this.#segments;
    this.#segments = [];
    for (const segment of cut) {
      const interrupted = !(segment.isComplete && endOf(segment) <= now);
      const positionSeconds = playedMs(segment, now) / 1000;
      this.#listener.playbackFinished({ positionSeconds, interrupted }, segment.id);
    }
  }

  /** The source was emptied for good. Open segments stay open: another worker finishes them. */
  hold(): void {
    const now = this.#clock.elapsed();
    this.#cancelTimer();
    this.#isHeld = true;
    for (const segment of this.#segments) {
      segment.runs = segment.runs.map((run) => ({ ...run, lengthMs: playedOfRun(run, now) }));
    }
  }

  close(): void {
    this.#cancelTimer();
    this.#segments = [];
  }

  #find = (id: number) => this.#segments.find((segment) => segment.id === id);

  #report = (): void => {
    this.#cancelTimer();
    if (this.#isHeld) return;
    const now = this.#clock.elapsed();
    for (;;) {
      const segment = this.#segments[0];
      if (!segment) return;
      const [first] = segment.runs;
      if (first && !segment.hasStarted) {
        if (first.fromMs > now) return this.#wakeAt(first.fromMs);
        segment.hasStarted = true;
        this.#listener.playbackStarted(segment.id);
      }
      if (!segment.isComplete) return;
      // The source may begin and end one step late.
      const doneAt = first ? endOf(segment) + AUDIO_STEP_MS : now;
      if (doneAt > now) return this.#wakeAt(doneAt);
      this.#segments.shift();
      const positionSeconds = playedMs(segment, doneAt) / 1000;
      this.#listener.playbackFinished({ positionSeconds, interrupted: false }, segment.id);
    }
  };

  #wakeAt(atMs: number): void {
    this.#cancelTimer = this.#clock.after(Math.max(0, atMs - this.#clock.elapsed()), this.#report);
  }
}

function endOf(segment: OpenSegment): number {
  const last = segment.runs.at(-1);
  return last ? last.fromMs + last.lengthMs : -Infinity;
}

const playedMs = (segment: OpenSegment, now: number): number =>
  segment.runs.reduce((sum, run) => sum + playedOfRun(run, now), 0);

const playedOfRun = ({ fromMs, lengthMs }: Run, now: number): number =>
  Math.min(lengthMs, Math.max(0, now - fromMs));
