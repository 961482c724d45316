import { describe, expect, test } from 'vitest';
import {
  endPerformance,
  firstFrame,
  newHistory,
  type PerformanceEnd,
  type WorkerHistory,
} from '../../../src/sessions/live/worker-history.ts';

const gaveUp = (at: number): PerformanceEnd => ({ type: 'gave_up', at });
const historyAfter = (history: WorkerHistory, ...ends: PerformanceEnd[]) =>
  ends.reduce((state, end) => endPerformance(state, end).history, history);

const shownHistory = firstFrame(newHistory, 1);
const isLost = (isSilent: boolean) => historyAfter(shownHistory, { type: 'lost', isSilent });

const workerLost = { type: 'worker_lost' };
const end = (at: number) => ({ type: 'ended', at, reason: 'worker_lost' });

describe('the end of a performance', () => {
  test.each<[string, WorkerHistory, PerformanceEnd, object]>([
    ['places a lost session again', newHistory, { type: 'lost', isSilent: false }, workerLost],
    ['places a session again that one worker gave up', newHistory, gaveUp(1), workerLost],
    ['places it again after two', historyAfter(newHistory, gaveUp(1)), gaveUp(2), workerLost],
    ['ends it after three', historyAfter(newHistory, gaveUp(1), gaveUp(2)), gaveUp(3), end(3)],
    [
      'counts a lost worker as no failure to show the face',
      historyAfter(newHistory, gaveUp(1), { type: 'lost', isSilent: false }),
      gaveUp(3),
      workerLost,
    ],
    [
      'counts anew after a face shown for more than a minute',
      firstFrame(historyAfter(newHistory, gaveUp(1), gaveUp(2)), 10),
      gaveUp(60_011),
      workerLost,
    ],
    [
      'counts on after a face shown for a minute',
      firstFrame(historyAfter(newHistory, gaveUp(1), gaveUp(2)), 10),
      gaveUp(60_010),
      end(60_010),
    ],
    [
      'does not count the frames of a worker that was lost since',
      historyAfter(firstFrame(historyAfter(newHistory, gaveUp(1), gaveUp(2)), 10), {
        type: 'lost',
        isSilent: false,
      }),
      gaveUp(90_000),
      end(90_000),
    ],
  ])('%s', (_what, history, end, event) => {
    expect(endPerformance(history, end).event).toEqual(event);
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

    expect(event).toEqual(workerLost);
    expect(endPerformance(history, replaced).event).toEqual(replaced);
  });

  test('does not end the session if one lost before its first frame may still have joined', () => {
    const history = historyAfter(newHistory, { type: 'lost', isSilent: false });

    expect(endPerformance(history, replaced).event).toEqual(workerLost);
  });

  test('ends the session for any other reason after a silent one', () => {
    const agentLeft = { type: 'ended', at: 5, reason: 'agent_left' } as const;

    expect(endPerformance(isLost(true), agentLeft).event).toEqual(agentLeft);
  });

  test('does not end the session of a silent one, even if others were lost since', () => {
    const history = historyAfter(isLost(true), { type: 'lost', isSilent: false });

    expect(endPerformance(history, replaced).event).toEqual(workerLost);
  });
});
