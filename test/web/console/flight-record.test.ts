import { describe, expect, test } from 'vitest';
import {
  flightRecord,
  statisticsOf,
  type TimelineEntry,
} from '../../../src/web/console/sessions/record/flight-record.ts';

const START = Date.UTC(2026, 0, 1, 12);
const at = (ms: number) => new Date(START + ms).toISOString();

/** Waits for a slot, speaks, loses its worker, moves, and is interrupted. */
const entries: TimelineEntry[] = [
  { at: at(0), kind: 'created' },
  { at: at(500), kind: 'queued', waited_ms: 500 },
  { at: at(600), kind: 'assigned', epoch: 1, worker_id: 'one' },
  { at: at(1000), kind: 'first_frame', epoch: 1 },
  { at: at(2000), kind: 'speech_started', epoch: 1, segment: 1 },
  { at: at(4000), kind: 'speech_finished', epoch: 1, segment: 1, position_seconds: 2 },
  { at: at(5000), kind: 'lost', epoch: 1, worker_id: 'one' },
  { at: at(5200), kind: 'assigned', epoch: 2, worker_id: 'two' },
  { at: at(6000), kind: 'moved', epoch: 2, to_worker_id: 'two', gap_ms: 1000 },
  { at: at(7000), kind: 'speech_started', epoch: 2, segment: 1 },
  {
    at: at(7500),
    kind: 'speech_finished',
    epoch: 2,
    segment: 1,
    position_seconds: 0.5,
    interrupted: true,
  },
  { at: at(8000), kind: 'frames', epoch: 2, frame_rate: 24, missed_frames: 3 },
  { at: at(9000), kind: 'ended', reason: 'agent_left' },
];

/** As milliseconds since the start. */
const spansOf = (lane: string, of = entries, now = START + 60_000) =>
  flightRecord(of, now)
    .spans.filter((span) => span.lane === lane)
    .map(({ fromMs, toMs, label }) => [fromMs - START, toMs - START, label]);

describe('a flight record', () => {
  test('covers the session from its request to its end', () => {
    const { startMs, endMs } = flightRecord(entries, START + 60_000);

    expect([startMs - START, endMs - START]).toEqual([0, 9000]);
  });

  test('shows waiting, placing and joining, again after a loss', () => {
    expect(spansOf('placement')).toEqual([
      [0, 500, 'Waiting for a slot'],
      [500, 600, 'Placing'],
      [600, 1000, 'Joining'],
      [5000, 5200, 'Placing'],
      [5200, 6000, 'Joining'],
    ]);
  });

  test('shows which worker showed the face, and the time without one', () => {
    expect(spansOf('face')).toEqual([
      [1000, 5000, 'Face from one'],
      [5000, 6000, 'No face'],
      [6000, 9000, 'Face from two'],
    ]);
  });

  test('tells utterances of two workers apart, though their numbers are equal', () => {
    expect(spansOf('speech')).toEqual([
      [2000, 4000, 'Utterance 1'],
      [7000, 7500, 'Utterance 1, interrupted'],
    ]);
  });

  test('goes on until now while the session runs', () => {
    const running = entries.slice(0, 5);

    expect(spansOf('face', running, START + 3000)).toEqual([[1000, 3000, 'Face from one']]);
    expect(spansOf('speech', running, START + 3000)).toEqual([[2000, 3000, 'Utterance 1']]);
  });

  test('has the figures of the session', () => {
    expect(statisticsOf(entries)).toEqual({
      firstFrameMs: 1000,
      utterances: 2,
      interruptions: 1,
      spokenSeconds: 2.5,
      frameRate: 24,
      missedFrames: 3,
      moves: 1,
    });
  });
});
