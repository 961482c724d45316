import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FairTurns } from './fair-turns.ts';

type Turns = Pick<FairTurns, 'take'>;

/** The next item, in its turn. The event loop turns after it. */
export const nextInTurn = <Item>(
  turns: Turns,
  accountId: string,
  iterator: AsyncIterator<Item>,
): Promise<IteratorResult<Item>> =>
  turns.take(accountId, async () => {
    const item = await iterator.next();
    await nextTurn();
    return item;
  });

/**
 * Passes on one item of all accounts at a time, in turns by account, and lets the event loop turn
 * after each: many long answers at once delay others as little as one.
 */
export async function* paced<Item>(
  turns: Turns,
  accountId: string,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await nextInTurn(turns, accountId, iterator);
      if (result.done) return;
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}
