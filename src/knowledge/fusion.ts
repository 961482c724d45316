/** How much less the second place counts than the first: with more of it, what both lists have comes before what only one has on top. */
const FLATNESS = 60;

/** Several lists, best first, as one: by the places that each item has in them (reciprocal rank fusion), as their scores cannot be compared. */
export function fused<Item>(...lists: readonly Item[][]): Item[] {
  const scores = new Map<Item, number>();
  for (const list of lists) {
    for (const [place, item] of list.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (FLATNESS + place));
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([item]) => item);
}
