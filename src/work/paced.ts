import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { FairTurns } from './fair-turns.ts';

/** A read that takes longer goes on without its turn, so that others do not wait for it. */
export const READ_MS = 100;

export type Pace = { turns: Pick<FairTurns, 'take'>; clock: Pick<Clock, 'after'> };

/** The next item, in its turn. The event loop turns after it. */
export async function nextInTurn<Item>(
  { turns, clock }: Pace,
  accountId: string,
  iterator: AsyncIterator<Item>,
): Promise<IteratorResult<Item>> {
  let reading!: Promise<IteratorResult<Item>>;
  await turns.take(accountId, async () => {
    reading = iterator.next();
    await settled(reading, clock);
    await nextTurn();
  });
  return reading;
}

/**
 * Makes one item of all accounts at a time, in turns by account: many long answers at once delay
 * others as little as one.
 */
export async function* paced<Item>(
  pace: Pace,
  accountId: string,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await nextInTurn(pace, accountId, iterator);
      if (result.done) return;
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Resolves when the read is over, or after `READ_MS`. */
async function settled(reading: Promise<unknown>, clock: Pick<Clock, 'after'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(READ_MS, resolve);
  reading.then(
    () => resolve(),
    () => resolve(),
  );
  await promise;
  cancel();
}
