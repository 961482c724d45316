import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FairTurns } from './fair-turns.ts';

/**
 * Passes on one item of all accounts at a time, in turns by account, and lets the event loop turn
 * after each: many long answers at once delay others as little as one.
 */
export async function* paced<Item>(
  turns: Pick<FairTurns, 'take'>,
  accountId: string,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await turns.take(accountId, async () => {
        const item = await iterator.next();
        await nextTurn();
        return item;
      });
      if (result.done) return;
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}
