/** The entries of one account in a cache. */
type Share = { accountId: string; size: number };

/**
 * Chooses what leaves a full cache, whose items are in the order of their last use. An account that
 * has more than an equal share gives up its oldest item before others do, but for its last one:
 * an account whose only item is large would otherwise have it made again for each question. Else
 * the oldest item of all leaves. `current`, which was just made, stays. Undefined: nothing else
 * is left.
 */
export function nextEviction<Item extends Share>(
  items: readonly Item[],
  current: Item,
): Item | undefined {
  const accounts = [...Map.groupBy(items, ({ accountId }) => accountId).values()];
  const equalShare = sizeOf(items) / accounts.length;
  const generous = accounts
    .filter((entries) => entries.length > 1 && sizeOf(entries) > equalShare)
    .flat();
  const removable = items.filter((item) => item !== current);
  return removable.find((item) => generous.includes(item)) ?? removable[0];
}

const sizeOf = (items: readonly Share[]): number => items.reduce((sum, { size }) => sum + size, 0);
