/**
 * The usual constant of rank fusion. A higher one favours items in both lists over the top of one.
 */
const FLATNESS = 60;

/**
 * Merges ranked lists, best first, by reciprocal rank fusion, as their scores are not comparable.
 */
export function fused<Item>(...lists: readonly Item[][]): Item[] {
  const scores = new Map<Item, number>();
  for (const list of lists) {
    for (const [place, item] of list.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (FLATNESS + place));
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([item]) => item);
}
