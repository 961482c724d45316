import { beforeEach, describe, expect, test } from 'vitest';
import type { Noted } from '#protocol/worker/worker-messages.ts';
import { Journal } from '../../../../workers/runtime/reports/journal.ts';
import { TestClock } from '../../../support/test-clock.ts';

const placement = { sessionId: 'session-1', epoch: 1 };

let clock: TestClock;
let sent: Noted['happenings'][];
let isConnected: boolean;
let journal: Journal;
beforeEach(() => {
  clock = new TestClock();
  sent = [];
  isConnected = true;
  journal = new Journal({
    placement,
    clock,
    send: ({ happenings }) => {
      if (isConnected) sent.push(happenings);
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

    expect(sent).toEqual([
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

    expect(sent).toEqual([[{ kind: 'joined', agoMs: 0 }]]);
    expect(clock.waiting).toBe(0);
  });

  test('keeps the newest events without a connection, and sends them in messages of 100', () => {
    isConnected = false;
    for (let segment = 1; segment <= 350; segment++)
      journal.record({ kind: 'speech_started', segment });
    clock.advance(10_000);
    isConnected = true;

    journal.flush();

    expect(sent.map((happenings) => happenings.length)).toEqual([100, 100, 100]);
    expect(sent[0]?.[0]).toMatchObject({ segment: 51, agoMs: 10_000 });
  });

  test('sends nothing after close', () => {
    journal.record({ kind: 'joined' });

    journal.close();
    clock.advance(1_000);

    expect(sent).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});
