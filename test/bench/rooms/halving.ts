/**
 * Finds the largest count up to `most` that holds; 0 if none does. Moves away from `first` in
 * doubling steps, then bisects. Assumes that a count holds if a larger one does.
 */
export async function largestThatHolds(
  { first, most }: { first: number; most: number },
  holds: (count: number) => Promise<boolean>,
): Promise<number> {
  let held = 0;
  let failed = most + 1;
  let next = Math.max(1, Math.min(most, first));
  for (let step = 1; failed - held > 1; step *= 2) {
    if (await holds(next)) held = next;
    else failed = next;
    if (failed > most) next = Math.min(most, held + step);
    else if (held === 0) next = Math.max(1, failed - step);
    else next = (held + failed) >> 1;
  }
  return held;
}
