import { describe, expect, test } from 'vitest';
import {
  endPerformance,
  firstFrame,
  newHistory,
  type PerformanceEnd,
  type WorkerHistory,
} from '../../../src/sessions/live/worker-history.ts';

const gaveUp = (at: number): PerformanceEnd => ({ type: 'gave_up', at });
const after = (history: WorkerHistory, ...ends: PerformanceEnd[]) =>
  ends.reduce((before, end) => endPerformance(before, end).history, history);

const shown = firstFrame(newHistory, 1);
const isLost = (isSilent: boolean) => after(shown, { type: 'lost', isSilent });

const again = { type: 'worker_lost' };
const end = (at: number) => ({ type: 'ended', at, reason: 'worker_lost' });

describe('the end of a performance', () => {
  test.each<[string, WorkerHistory, PerformanceEnd, object]>([
    ['places a lost session again', newHistory, { type: 'lost', isSilent: false }, again],
    ['places a session again that one worker gave up', newHistory, gaveUp(1), again],
    ['places it again after two', after(newHistory, gaveUp(1)), gaveUp(2), again],
    ['ends it after three', after(newHistory, gaveUp(1), gaveUp(2)), gaveUp(3), end(3)],
    [
      'counts a lost worker as no failure to show the face',
      after(newHistory, gaveUp(1), { type: 'lost', isSilent: false }),
      gaveUp(3),
      again,
    ],
    [
      'counts anew after a face shown for more than a minute',
      firstFrame(after(newHistory, gaveUp(1), gaveUp(2)), 10),
      gaveUp(60_011),
      again,
    ],
    [
      'counts on after a face shown for a minute',
      firstFrame(after(newHistory, gaveUp(1), gaveUp(2)), 10),
      gaveUp(60_010),
      end(60_010),
    ],
    [
      'does not count the frames of a worker that was lost since',
      after(firstFrame(after(newHistory, gaveUp(1), gaveUp(2)), 10), {
        type: 'lost',
        isSilent: false,
      }),
      gaveUp(90_000),
      end(90_000),
    ],
  ])('%s', (_what, history, last, event) => {
    expect(endPerformance(history, last).event).toEqual(event);
  });
});

describe('a worker that is replaced in its room', () => {
  const replaced = { type: 'ended', at: 5, reason: 'replaced' } as const;

  test('ends the session', () => {
    expect(endPerformance(newHistory, replaced).event).toEqual(replaced);
    expect(endPerformance(isLost(false), replaced).event).toEqual(replaced);
  });

  test('does not end the session if a silent one before it is the cause, but only once', () => {
    const { history, event } = endPerformance(isLost(true), replaced);

    expect(event).toEqual(again);
    expect(endPerformance(history, replaced).event).toEqual(replaced);
  });

  test('does not end the session if one lost before its first frame may still have joined', () => {
    const history = after(newHistory, { type: 'lost', isSilent: false });

    expect(endPerformance(history, replaced).event).toEqual(again);
  });

  test('ends the session for any other reason after a silent one', () => {
    const left = { type: 'ended', at: 5, reason: 'agent_left' } as const;

    expect(endPerformance(isLost(true), left).event).toEqual(left);
  });

  test('does not end the session of a silent one, even if others were lost since', () => {
    const history = after(isLost(true), { type: 'lost', isSilent: false });

    expect(endPerformance(history, replaced).event).toEqual(again);
  });
});
