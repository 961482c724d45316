/**
 * Finds the largest count up to `most` that holds; 0 if none does. Moves away from `first` in
 * doubling steps, then bisects. Assumes that a count holds if a larger one does.
 */
export async function largestThatHolds(
  { start, most }: { start: number; most: number },
  holds: (count: number) => Promise<boolean>,
): Promise<number> {
  let largestHeld = 0;
  let smallestFailed = most + 1;
  let count = Math.max(1, Math.min(most, start));
  for (let step = 1; smallestFailed - largestHeld > 1; step *= 2) {
    if (await holds(count)) largestHeld = count;
    else smallestFailed = count;
    if (smallestFailed > most) count = Math.min(most, largestHeld + step);
    else if (largestHeld === 0) count = Math.max(1, smallestFailed - step);
    else count = (largestHeld + smallestFailed) >> 1;
  }
  return largestHeld;
}
