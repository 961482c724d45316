import { describe, expect, test } from 'vitest';
import {
  advance,
  initialPlayback,
  positionsAt,
  type PlaybackEvent,
} from '../../../../workers/avatar/sync/playback-state.ts';

/** Handles each event at its time, and returns the last step with all effects. */
function run(...events: [nowMs: number, event: PlaybackEvent][]) {
  let state = initialPlayback;
  let wakeAtMs: number | null = null;
  const effects: object[] = [];
  for (const [nowMs, event] of events) {
    const step = advance(state, event, nowMs);
    ({ state, wakeAtMs } = step);
    effects.push(...step.effects);
  }
  return { state, effects, wakeAtMs };
}

const opened = (segment: number): PlaybackEvent => ({ type: 'opened', segment });
const completed = (segment: number): PlaybackEvent => ({ type: 'completed', segment });
const scheduled = (segment: number, fromMs: number, lengthMs: number): PlaybackEvent => ({
  type: 'scheduled',
  segment,
  run: { fromMs, lengthMs },
});
const timePassed: PlaybackEvent = { type: 'time_passed' };
const started = (segment: number) => ({ type: 'report_started', segment });
const finished = (segment: number, positionSeconds: number, interrupted = false) => ({
  type: 'report_finished',
  segment,
  positionSeconds,
  interrupted,
});

describe('the state of playback', () => {
  test('waits for the first run of a segment', () => {
    const { effects, wakeAtMs } = run([0, opened(1)], [0, scheduled(1, 50, 100)]);

    expect(effects).toEqual([]);
    expect(wakeAtMs).toBe(50);
  });

  test('needs no timer until a playing segment is complete', () => {
    const { effects, wakeAtMs } = run([0, opened(1)], [0, scheduled(1, 0, 100)]);

    expect(effects).toEqual([started(1)]);
    expect(wakeAtMs).toBeNull();
  });

  test('finishes a complete segment one step after its last run', () => {
    const events = [
      [0, opened(1)],
      [0, scheduled(1, 0, 100)],
      [20, completed(1)],
    ] as [number, PlaybackEvent][];

    expect(run(...events).wakeAtMs).toBe(110);
    expect(run(...events, [110, timePassed])).toEqual({
      state: initialPlayback,
      effects: [started(1), finished(1, 0.1)],
      wakeAtMs: null,
    });
  });

  test('finishes a segment without audio when all before it are finished', () => {
    const { effects } = run(
      [0, opened(1)],
      [0, opened(2)],
      [0, completed(2)],
      [0, scheduled(1, 0, 20)],
      [0, completed(1)],
      [40, timePassed],
    );

    expect(effects).toEqual([started(1), finished(1, 0.02), finished(2, 0)]);
  });

  test('moves the audio that was not played yet', () => {
    const { state, wakeAtMs } = run(
      [0, opened(1)],
      [0, scheduled(1, 0, 100)],
      [0, scheduled(1, 100, 100)],
      [0, completed(1)],
      [100, { type: 'moved', byMs: 30 }],
    );

    expect(wakeAtMs).toBe(240);
    expect(positionsAt(state, 140)).toEqual([0.11]);
  });

  test('finishes every segment on a cut, as interrupted unless played to the end', () => {
    const { state, effects, wakeAtMs } = run(
      [0, opened(1)],
      [0, opened(2)],
      [0, scheduled(1, 0, 100)],
      [0, completed(1)],
      [0, scheduled(2, 100, 100)],
      [105, { type: 'cut' }],
    );

    expect(effects).toEqual([started(1), finished(1, 0.1), finished(2, 0.005, true)]);
    expect([state, wakeAtMs]).toEqual([initialPlayback, null]);
  });

  test('finishes segments only by a cut after a hold, at the position of the hold', () => {
    const heldSteps = [
      [0, opened(1)],
      [0, scheduled(1, 0, 100)],
      [0, completed(1)],
      [40, { type: 'held' }],
      [500, timePassed],
    ] as [number, PlaybackEvent][];

    expect(run(...heldSteps)).toMatchObject({ effects: [started(1)], wakeAtMs: null });
    expect(positionsAt(run(...heldSteps).state, 600)).toEqual([0.04]);
    expect(run(...heldSteps, [600, { type: 'cut' }]).effects).toEqual([
      started(1),
      finished(1, 0.04),
    ]);
  });

  test('ignores audio of a segment that is not open', () => {
    expect(run([0, scheduled(7, 0, 100)], [0, completed(7)])).toEqual({
      state: initialPlayback,
      effects: [],
      wakeAtMs: null,
    });
  });
});
