import type { Clock } from '#shared/clock.ts';

/** The audio source's own step: what was given to it may begin and end this much later than planned. */
const SOURCE_STEP_MS = 10;

/** A run of a segment's own audio in media time. */
type Run = { fromMs: number; lengthMs: number };

type Heard = { segment: number; runs: Run[]; isComplete: boolean; isStarted: boolean };

export interface PlaybackListener {
  playbackStarted(segment: number): void;
  playbackFinished(event: { positionSeconds: number; interrupted: boolean }, segment: number): void;
}

/**
 * The only owner of how much of each segment was heard. A segment is here from its header until it is reported:
 *   opened     nothing has sounded            -> sounding with its first run
 *   sounding   its runs are in the source     -> complete when all of it was given to the source
 *   complete   reported once the last run was played out
 * A cut reports everything that is here as interrupted. So there is exactly one report a segment, in order. Once it is held only a cut reports.
 */
export class Playback {
  readonly #clock: Clock;
  readonly #listener: PlaybackListener;
  #segments: Heard[] = [];
  #isHeld = false;
  #cancelTimer = () => {};

  constructor(clock: Clock, listener: PlaybackListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** How much was heard so far of each segment that is here, in seconds. */
  get positions(): number[] {
    const now = this.#clock.elapsed();
    return this.#segments.map((heard) => heardMs(heard, now) / 1000);
  }

  open(segment: number): void {
    this.#segments.push({ segment, runs: [], isComplete: false, isStarted: false });
  }

  /** `lengthMs` of the segment begin to sound at `fromMs`. */
  sound(segment: number, fromMs: number, lengthMs: number): void {
    this.#find(segment)?.runs.push({ fromMs, lengthMs });
    this.#report();
  }

  /** What has not sounded by now will sound `byMs` later than it was told. */
  move(byMs: number): void {
    const now = this.#clock.elapsed();
    for (const heard of this.#segments) {
      heard.runs = heard.runs.map((run) =>
        run.fromMs + run.lengthMs > now ? { ...run, fromMs: run.fromMs + byMs } : run,
      );
    }
    this.#report();
  }

  /** All that there is of the segment was given to the source. */
  complete(segment: number): void {
    const heard = this.#find(segment);
    if (heard) heard.isComplete = true;
    this.#report();
  }

  /** The source was emptied: what did not sound by now never will. */
  cut(): void {
    const now = this.#clock.elapsed();
    this.#cancelTimer();
    const cut = this.#segments;
    this.#segments = [];
    for (const heard of cut) {
      const interrupted = !(heard.isComplete && endOf(heard) <= now);
      const positionSeconds = heardMs(heard, now) / 1000;
      this.#listener.playbackFinished({ positionSeconds, interrupted }, heard.segment);
    }
  }

  /** The source was emptied for good, and what is here stays unreported: another worker reports it. */
  hold(): void {
    const now = this.#clock.elapsed();
    this.#cancelTimer();
    this.#isHeld = true;
    for (const heard of this.#segments) {
      heard.runs = heard.runs.map((run) => ({ ...run, lengthMs: heardOfRun(run, now) }));
    }
  }

  close(): void {
    this.#cancelTimer();
    this.#segments = [];
  }

  #find = (segment: number) => this.#segments.find((heard) => heard.segment === segment);

  #report = (): void => {
    this.#cancelTimer();
    if (this.#isHeld) return;
    const now = this.#clock.elapsed();
    for (;;) {
      const heard = this.#segments[0];
      if (!heard) return;
      const [first] = heard.runs;
      if (first && !heard.isStarted) {
        if (first.fromMs > now) return this.#wakeAt(first.fromMs);
        heard.isStarted = true;
        this.#listener.playbackStarted(heard.segment);
      }
      if (!heard.isComplete) return;
      const doneAt = first ? endOf(heard) + SOURCE_STEP_MS : now;
      if (doneAt > now) return this.#wakeAt(doneAt);
      this.#segments.shift();
      const positionSeconds = heardMs(heard, doneAt) / 1000;
      this.#listener.playbackFinished({ positionSeconds, interrupted: false }, heard.segment);
    }
  };

  #wakeAt(atMs: number): void {
    this.#cancelTimer = this.#clock.after(Math.max(0, atMs - this.#clock.elapsed()), this.#report);
  }
}

function endOf(heard: Heard): number {
  const last = heard.runs.at(-1);
  return last ? last.fromMs + last.lengthMs : -Infinity;
}

const heardMs = (heard: Heard, now: number): number =>
  heard.runs.reduce((sum, run) => sum + heardOfRun(run, now), 0);

const heardOfRun = ({ fromMs, lengthMs }: Run, now: number): number =>
  Math.min(lengthMs, Math.max(0, now - fromMs));
