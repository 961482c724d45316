import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Beat } from '#protocol/worker/worker-messages.ts';
import { Beats, type BeatingSession } from '../../../../workers/runtime/reports/beats.ts';
import { TestClock } from '../../../support/test-clock.ts';

const placement = { sessionId: 'session-1', epoch: 1 };

let clock: TestClock;
let sessions: BeatingSession[];
let beatsSent: Beat[];
let beats: Beats;

beforeEach(() => {
  clock = new TestClock();
  sessions = [];
  beatsSent = [];
  beats = new Beats({ clock, send: (beat) => beatsSent.push(beat), sessions: () => sessions });
});

afterEach(() => {
  beats.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

const session = (
  framesShown?: number,
): BeatingSession & { performance: { framesShown?: number } } => ({
  placement,
  isLeaving: false,
  performance: framesShown === undefined ? {} : { framesShown },
});

const beat = { type: 'beat', performing: 1 };

describe('beats', () => {
  test('start with the first session, repeat while there is one, and stop with a final zero', () => {
    beats.start(500);
    clock.advance(10_000);
    expect(beatsSent).toEqual([]);

    sessions.push(session(1));
    beats.sessionAdded();
    expect(beatsSent).toEqual([beat]);
    clock.advance(1_000);
    expect(beatsSent).toEqual([beat, beat, beat]);

    sessions.pop();
    clock.advance(10_000);
    expect(beatsSent.slice(3)).toEqual([{ type: 'beat', performing: 0 }]);
  });

  test('start at once on a new connection', () => {
    sessions.push(session(1));
    beats.start(500);
    clock.advance(500);

    beats.start(500);

    expect(beatsSent).toEqual([beat, beat, beat]);
  });

  test('are not sent to a gateway that does not ask for them', () => {
    sessions.push(session(1));

    beats.start(null);
    beats.sessionAdded();
    clock.advance(10_000);

    expect(beatsSent).toEqual([]);
  });

  test('name a session without a new frame for four beats', () => {
    const showing = session(1);
    sessions.push(showing);
    beats.start(500);
    clock.advance(500);
    showing.performance.framesShown = 12;
    clock.advance(500);

    clock.advance(1_999);
    expect(beatsSent.filter(({ stalled }) => stalled)).toEqual([]);
    clock.advance(1);
    expect(beatsSent.at(-1)).toEqual({ ...beat, stalled: [placement] });

    showing.performance.framesShown = 13;
    clock.advance(500);
    expect(beatsSent.at(-1)).toEqual(beat);
  });

  test('ignore a session that is opening, leaving, or has no video', () => {
    sessions.push(session(0), { ...session(5), isLeaving: true }, session());
    beats.start(500);

    clock.advance(10_000);

    expect(beatsSent.filter(({ stalled }) => stalled)).toEqual([]);
  });
});
