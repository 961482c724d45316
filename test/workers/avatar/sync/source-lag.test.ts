import { beforeEach, expect, test } from 'vitest';
import { SourceLag } from '../../../../workers/avatar/sync/source-lag.ts';
import { TestClock } from '../../../support/test-clock.ts';

let clock: TestClock;
let lag: SourceLag;
let moves: number[];
beforeEach(() => {
  clock = new TestClock();
  moves = [];
  lag = new SourceLag(clock, (byMs) => moves.push(byMs));
});

/** The source answers `lateMs` after it should, while the event loop turns. */
function answer(lateMs: number): void {
  const taken = lag.expect(clock.elapsed() + 200);
  clock.advance(200 + lateMs);
  taken();
}

test('a source that is late twice is as late as the sooner answer', () => {
  answer(183);
  answer(180);

  expect(moves).toEqual([180]);
  expect(clock.waiting).toBe(0);
});

test('a loop that turns seldom still tells a late source', () => {
  for (const lateMs of [183, 190]) {
    const taken = lag.expect(clock.elapsed() + 200);
    clock.advance(200);
    for (let waitedMs = 0; waitedMs + 30 <= lateMs; waitedMs += 30) clock.stall(30);
    clock.stall(lateMs % 30);
    taken();
  }

  expect(moves).toEqual([183]);
});

test('one answer in time shows a source in time', () => {
  answer(100);
  answer(4);
  answer(90);

  expect(moves).toEqual([]);
});

test('a step of the source is no lag', () => {
  answer(12);
  answer(20);

  expect(moves).toEqual([]);
});

test('an answer that an event loop at a standstill kept waiting does not count', () => {
  for (let i = 0; i < 3; i++) {
    const taken = lag.expect(clock.elapsed() + 200);
    clock.advance(190);
    clock.stall(100);
    taken();
  }

  expect(moves).toEqual([]);
});

test('what was expected before a move is expected that much later', () => {
  const [first, second, third] = [100, 300, 500].map((dueMs) => lag.expect(dueMs));

  clock.advance(180);
  first!();
  clock.advance(200);
  second!();
  clock.advance(200);
  third!();
  answer(0);

  expect(moves).toEqual([80]);
});

test('answers to what was cleared do not count', () => {
  const taken = lag.expect(200);
  clock.advance(290);

  lag.forget();
  taken();
  answer(90);

  expect(moves).toEqual([]);
  expect(clock.waiting).toBe(0);
});
