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

/** The source confirms `lateMs` after the due time, while the event loop turns. */
function answer(lateMs: number): void {
  const confirm = lag.expect(clock.elapsed() + 200);
  clock.advance(200 + lateMs);
  confirm();
}

test('takes the earlier of two late confirmations as the lag', () => {
  answer(183);
  answer(180);

  expect(moves).toEqual([180]);
  expect(clock.waiting).toBe(0);
});

test('detects a late source also when the event loop turns rarely', () => {
  for (const lateMs of [183, 190]) {
    const confirm = lag.expect(clock.elapsed() + 200);
    clock.advance(200);
    for (let waitedMs = 0; waitedMs + 30 <= lateMs; waitedMs += 30) clock.stall(30);
    clock.stall(lateMs % 30);
    confirm();
  }

  expect(moves).toEqual([183]);
});

test('detects at the second confirmation that the whole process stood still', () => {
  const confirm = lag.expect(clock.elapsed() + 200);
  clock.advance(100);
  clock.stall(340);
  confirm();

  answer(240);

  expect(moves).toEqual([240]);
});

test('counts confirmations that one stall delivers together as one', () => {
  const confirms = [0, 20, 40, 60].map((dueMs) => lag.expect(dueMs));
  clock.advance(100);
  clock.stall(260);
  for (const confirm of confirms) confirm();
  expect(moves).toEqual([]);

  answer(2);

  expect(moves).toEqual([]);
});

test('takes the least late of the confirmations that come together', () => {
  const confirms = [0, 20, 35].map((dueMs) => lag.expect(dueMs));
  clock.advance(90);
  for (const confirm of confirms) confirm();

  answer(80);

  expect(moves).toEqual([55]);
});

test('corrects a lag that was found wrongly at the first confirmation that comes earlier', () => {
  answer(180);
  answer(180);
  answer(-100);

  expect(moves).toEqual([180, -100]);
});

test('detects no lag after one confirmation in time', () => {
  answer(100);
  answer(4);
  answer(90);

  expect(moves).toEqual([]);
});

test('ignores a lag of one step of the source', () => {
  answer(12);
  answer(20);

  expect(moves).toEqual([]);
});

test('ignores a confirmation delayed by a blocked event loop', () => {
  for (let i = 0; i < 3; i++) {
    const confirm = lag.expect(clock.elapsed() + 200);
    clock.advance(190);
    clock.stall(100);
    confirm();
  }

  expect(moves).toEqual([]);
});

test('moves pending confirmations with the plan', () => {
  const [confirmFirst, second, third] = [100, 300, 500].map((dueMs) => lag.expect(dueMs));

  clock.advance(180);
  confirmFirst!();
  clock.advance(200);
  second!();
  clock.advance(200);
  third!();
  answer(0);

  expect(moves).toEqual([80]);
});

test('ignores confirmations of cleared audio', () => {
  const confirm = lag.expect(200);
  clock.advance(290);

  lag.forget();
  confirm();
  answer(90);

  expect(moves).toEqual([]);
  expect(clock.waiting).toBe(0);
});
