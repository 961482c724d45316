/*
 * Pure state machine of a session's playback. `playback.ts` owns the timer and tells the listener.
 *
 * A segment, in the order of its header:
 *   waiting  -> playing when its first run begins to play; finished when it is complete and empty
 *   playing  -> finished when it is complete and its last run was played
 * A cut finishes all segments. A hold is final: after it, only a cut finishes segments.
 */
import { AUDIO_STEP_MS } from '#protocol/audio.ts';

/** A contiguous part of a segment's audio, in media time. */
type Run = { fromMs: number; lengthMs: number };

type OpenSegment = {
  id: number;
  phase: 'waiting' | 'playing';
  runs: readonly Run[];
  /** All of its audio is in the source. */
  isComplete: boolean;
};

/** The segments that are not finished yet, oldest first. */
export type PlaybackState = {
  type: 'running' | 'held';
  segments: readonly OpenSegment[];
};

export type PlaybackEvent =
  | { type: 'opened'; segment: number }
  | { type: 'scheduled'; segment: number; run: Run }
  /** All audio not played yet plays `byMs` later than planned. */
  | { type: 'moved'; byMs: number }
  /** All audio of the segment is in the source. */
  | { type: 'completed'; segment: number }
  /** A wake-up. */
  | { type: 'time_passed' }
  /** The source was emptied. */
  | { type: 'cut' }
  /** The source was emptied for good. */
  | { type: 'held' };

export type PlaybackEffect =
  | { type: 'report_started'; segment: number }
  | { type: 'report_finished'; segment: number; positionSeconds: number; interrupted: boolean };

/** `wakeAtMs`: when the next segment starts or is finished; null if nothing is scheduled. */
type PlaybackStep = { state: PlaybackState; effects: PlaybackEffect[]; wakeAtMs: number | null };

export const initialPlayback: PlaybackState = { type: 'running', segments: [] };

export function advance(state: PlaybackState, event: PlaybackEvent, nowMs: number): PlaybackStep {
  switch (event.type) {
    case 'opened': {
      const { segment: id } = event;
      const openSegment: OpenSegment = { id, phase: 'waiting', runs: [], isComplete: false };
      return report({ ...state, segments: [...state.segments, openSegment] }, nowMs);
    }
    case 'scheduled':
      return report(
        change(state, event.segment, ({ runs }) => ({ runs: [...runs, event.run] })),
        nowMs,
      );
    case 'moved':
      return report(
        changeRuns(state, (run) =>
          endOfRun(run) > nowMs ? { ...run, fromMs: run.fromMs + event.byMs } : run,
        ),
        nowMs,
      );
    case 'completed':
      return report(
        change(state, event.segment, () => ({ isComplete: true })),
        nowMs,
      );
    case 'time_passed':
      return report(state, nowMs);
    case 'cut':
      return {
        state: { ...state, segments: [] },
        effects: state.segments.map((segment) => cutAt(segment, nowMs)),
        wakeAtMs: null,
      };
    case 'held': {
      const played = changeRuns(state, (run) => ({ ...run, lengthMs: playedOfRun(run, nowMs) }));
      return { state: { ...played, type: 'held' }, effects: [], wakeAtMs: null };
    }
  }
}

/** Seconds played of each open segment. */
export const positionsAt = ({ segments }: PlaybackState, nowMs: number): number[] =>
  segments.map((segment) => playedMs(segment, nowMs) / 1000);

/** Starts and finishes segments, oldest first, up to the first that is not due. */
function report(state: PlaybackState, nowMs: number): PlaybackStep {
  const effects: PlaybackEffect[] = [];
  const segments = [...state.segments];
  const stop = (wakeAtMs: number | null) => ({ state: { ...state, segments }, effects, wakeAtMs });
  if (state.type === 'held') return stop(null);
  for (let segment = segments[0]; segment; segment = segments[0]) {
    const [firstRun] = segment.runs;
    if (firstRun && segment.phase === 'waiting') {
      if (firstRun.fromMs > nowMs) return stop(firstRun.fromMs);
      segment = { ...segment, phase: 'playing' };
      segments[0] = segment;
      effects.push({ type: 'report_started', segment: segment.id });
    }
    if (!segment.isComplete) return stop(null);
    // The source may begin and end one step late.
    const doneAt = firstRun ? endOf(segment) + AUDIO_STEP_MS : nowMs;
    if (doneAt > nowMs) return stop(doneAt);
    segments.shift();
    const positionSeconds = playedMs(segment, doneAt) / 1000;
    effects.push({
      type: 'report_finished',
      segment: segment.id,
      positionSeconds,
      interrupted: false,
    });
  }
  return stop(null);
}

/** Interrupted unless it was played to the end. */
function cutAt(segment: OpenSegment, nowMs: number): PlaybackEffect {
  const interrupted = !(segment.isComplete && endOf(segment) <= nowMs);
  const positionSeconds = playedMs(segment, nowMs) / 1000;
  return { type: 'report_finished', segment: segment.id, positionSeconds, interrupted };
}

const change = (
  state: PlaybackState,
  id: number,
  how: (segment: OpenSegment) => Partial<OpenSegment>,
): PlaybackState => ({
  ...state,
  segments: state.segments.map((segment) =>
    segment.id === id ? { ...segment, ...how(segment) } : segment,
  ),
});

const changeRuns = (state: PlaybackState, how: (run: Run) => Run): PlaybackState => ({
  ...state,
  segments: state.segments.map((segment) => ({ ...segment, runs: segment.runs.map(how) })),
});

const endOfRun = ({ fromMs, lengthMs }: Run): number => fromMs + lengthMs;

function endOf({ runs }: OpenSegment): number {
  const lastRun = runs.at(-1);
  return lastRun ? endOfRun(lastRun) : -Infinity;
}

const playedMs = ({ runs }: OpenSegment, nowMs: number): number =>
  runs.reduce((sum, run) => sum + playedOfRun(run, nowMs), 0);

const playedOfRun = ({ fromMs, lengthMs }: Run, nowMs: number): number =>
  Math.min(lengthMs, Math.max(0, nowMs - fromMs));
