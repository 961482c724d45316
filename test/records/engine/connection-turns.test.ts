import { beforeEach, describe, expect, test } from 'vitest';
import { ConnectionTurns } from '../../../src/records/engine/connection-turns.ts';
import { TestClock } from '../../support/test-clock.ts';

const LIMITS = { connections: 1, waiting: 2, stalledAfterMs: 10_000 };

let clock: TestClock;
let turns: ConnectionTurns;
beforeEach(async () => {
  clock = new TestClock();
  turns = new ConnectionTurns(clock, LIMITS, () => new Error('stalled'));
  await turns.take();
});

/** Outcomes of requests, in the order in which they came. */
function takeAll(count: number) {
  const outcomes: string[] = [];
  const takes = Array.from({ length: count }, (_, number) =>
    turns.take().then(
      () => outcomes.push(`${number}`),
      (error: Error) => outcomes.push(`${number}: ${error.message}`),
    ),
  );
  return { outcomes, settled: Promise.all(takes) };
}

describe('the turns at connections', () => {
  test('come in the order of the requests', async () => {
    const { outcomes, settled } = takeAll(2);

    turns.giveBack();
    turns.giveBack();
    await settled;

    expect(outcomes).toEqual(['0', '1']);
  });

  test('are waited for as long as connections become free', async () => {
    const { outcomes, settled } = takeAll(2);

    clock.advance(9_999);
    turns.giveBack();
    clock.advance(9_999);
    turns.giveBack();
    await settled;

    expect(outcomes).toEqual(['0', '1']);
    expect(clock.waiting).toBe(0);
  });

  test('are refused to all who wait when no connection becomes free', async () => {
    const { outcomes, settled } = takeAll(2);

    clock.advance(10_000);
    await settled;

    expect(outcomes).toEqual(['0: stalled', '1: stalled']);
    turns.giveBack();
    await turns.take();
  });

  test('are passed on after a connection that could not be opened, without more time', async () => {
    const { outcomes, settled } = takeAll(2);

    clock.advance(9_999);
    turns.giveUp();
    clock.advance(1);
    await settled;

    expect(outcomes).toEqual(['0', '1: stalled']);
  });

  test('are refused at once when too many wait', async () => {
    const { outcomes, settled } = takeAll(3);
    clock.advance(10_000);
    await settled;

    expect(outcomes).toEqual([
      '2: The database is busy. Please try again shortly.',
      '0: stalled',
      '1: stalled',
    ]);
  });

  test('leave no timer behind', async () => {
    const { settled } = takeAll(1);
    turns.giveUp();
    await settled;
    turns.giveBack();

    expect(clock.waiting).toBe(0);
  });
});
