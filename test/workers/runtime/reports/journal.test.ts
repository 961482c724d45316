import { beforeEach, describe, expect, test } from 'vitest';
import type { Noted } from '#protocol/worker/worker-messages.ts';
import { Journal } from '../../../../workers/runtime/reports/journal.ts';
import { TestClock } from '../../../support/test-clock.ts';

const placement = { sessionId: 'session-1', epoch: 1 };

let clock: TestClock;
let batches: Noted['happenings'][];
let isConnected: boolean;
let journal: Journal;
beforeEach(() => {
  clock = new TestClock();
  batches = [];
  isConnected = true;
  journal = new Journal({
    placement,
    clock,
    send: ({ happenings }) => {
      if (isConnected) batches.push(happenings);
      return isConnected;
    },
  });
});

describe('journal', () => {
  test('sends events within half a second together, each with its age', () => {
    journal.record({ kind: 'joined' });
    clock.advance(300);
    journal.record({ kind: 'speech_received', segment: 1 });
    clock.advance(200);

    expect(batches).toEqual([
      [
        { kind: 'joined', agoMs: 500 },
        { kind: 'speech_received', segment: 1, agoMs: 200 },
      ],
    ]);
    expect(clock.waiting).toBe(0);
  });

  test('sends pending events at once when flushed', () => {
    journal.record({ kind: 'joined' });

    journal.flush();

    expect(batches).toEqual([[{ kind: 'joined', agoMs: 0 }]]);
    expect(clock.waiting).toBe(0);
  });

  test('keeps the newest events without a connection, and sends them in messages of 100', () => {
    isConnected = false;
    for (let segment = 1; segment <= 350; segment++)
      journal.record({ kind: 'speech_started', segment });
    clock.advance(10_000);
    isConnected = true;

    journal.flush();

    expect(batches.map((happenings) => happenings.length)).toEqual([100, 100, 100]);
    expect(batches[0]?.[0]).toMatchObject({ segment: 51, agoMs: 10_000 });
  });

  test('sends nothing after close', () => {
    journal.record({ kind: 'joined' });

    journal.close();
    clock.advance(1_000);

    expect(batches).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});
