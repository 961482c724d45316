import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Beat } from '#protocol/worker-messages.ts';
import { Beats, type Beating } from '../../../workers/runtime/beats.ts';
import { TestClock } from '../../support/test-clock.ts';

const placement = { sessionId: 'session-1', epoch: 1 };

let clock: TestClock;
let held: Beating[];
let said: Beat[];
let beats: Beats;

beforeEach(() => {
  clock = new TestClock();
  held = [];
  said = [];
  beats = new Beats({ clock, send: (beat) => said.push(beat), held: () => held });
});

afterEach(() => {
  beats.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

const session = (framesShown?: number): Beating & { performance: { framesShown?: number } } => ({
  placement,
  isLeaving: false,
  performance: framesShown === undefined ? {} : { framesShown },
});

const beat = { type: 'beat', performing: 1 };

describe('beats of a worker', () => {
  test('come with the first session, twice a second while there is one, and once more after the last', () => {
    beats.start(500);
    clock.advance(10_000);
    expect(said).toEqual([]);

    held.push(session(1));
    beats.taken();
    expect(said).toEqual([beat]);
    clock.advance(1_000);
    expect(said).toEqual([beat, beat, beat]);

    held.pop();
    clock.advance(10_000);
    expect(said.slice(3)).toEqual([{ type: 'beat', performing: 0 }]);
  });

  test('begin at once on a new connection', () => {
    held.push(session(1));
    beats.start(500);
    clock.advance(500);

    beats.start(500);

    expect(said).toEqual([beat, beat, beat]);
  });

  test('are not sent to a gateway that does not ask for them', () => {
    held.push(session(1));

    beats.start(null);
    beats.taken();
    clock.advance(10_000);

    expect(said).toEqual([]);
  });

  test('name a session whose picture stands still for four beats', () => {
    const shown = session(1);
    held.push(shown);
    beats.start(500);
    clock.advance(500);
    shown.performance.framesShown = 12;
    clock.advance(500);

    clock.advance(1_999);
    expect(said.filter(({ stalled }) => stalled)).toEqual([]);
    clock.advance(1);
    expect(said.at(-1)).toEqual({ ...beat, stalled: [placement] });

    shown.performance.framesShown = 13;
    clock.advance(500);
    expect(said.at(-1)).toEqual(beat);
  });

  test('do not count a session that is still being opened, is leaving, or shows no pictures at all', () => {
    held.push(session(0), { ...session(5), isLeaving: true }, session());
    beats.start(500);

    clock.advance(10_000);

    expect(said.filter(({ stalled }) => stalled)).toEqual([]);
  });
});
