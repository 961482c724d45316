import { beforeEach, describe, expect, test } from 'vitest';
import type { Noted } from '#protocol/worker-messages.ts';
import { Journal } from '../../../workers/runtime/journal.ts';
import { TestClock } from '../../support/test-clock.ts';

const placement = { sessionId: 'session-1', epoch: 1 };

let clock: TestClock;
let said: Noted['happenings'][];
let isHeard: boolean;
let journal: Journal;
beforeEach(() => {
  clock = new TestClock();
  said = [];
  isHeard = true;
  journal = new Journal({
    placement,
    clock,
    send: ({ happenings }) => {
      if (isHeard) said.push(happenings);
      return isHeard;
    },
  });
});

describe('journal', () => {
  test('says together what happens within half a second, each with its age', () => {
    journal.note({ kind: 'joined' });
    clock.advance(300);
    journal.note({ kind: 'speech_received', segment: 1 });
    clock.advance(200);

    expect(said).toEqual([
      [
        { kind: 'joined', agoMs: 500 },
        { kind: 'speech_received', segment: 1, agoMs: 200 },
      ],
    ]);
    expect(clock.waiting).toBe(0);
  });

  test('says the rest at once when it is told to', () => {
    journal.note({ kind: 'joined' });

    journal.say();

    expect(said).toEqual([[{ kind: 'joined', agoMs: 0 }]]);
    expect(clock.waiting).toBe(0);
  });

  test('keeps the newest while nobody hears it, and says them in messages of a hundred', () => {
    isHeard = false;
    for (let segment = 1; segment <= 350; segment++)
      journal.note({ kind: 'speech_started', segment });
    clock.advance(10_000);
    isHeard = true;

    journal.say();

    expect(said.map((happenings) => happenings.length)).toEqual([100, 100, 100]);
    expect(said[0]?.[0]).toMatchObject({ segment: 51, agoMs: 10_000 });
  });

  test('says nothing any more once it is closed', () => {
    journal.note({ kind: 'joined' });

    journal.close();
    clock.advance(1_000);

    expect(said).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});
