export type Backoff = { firstMs: number; maxMs: number };

/**
 * How long to wait before try `attempt` (1 = the first repeat): doubles up to `maxMs`, with full jitter in its upper half, so that many
 * workers that lost the same gateway do not come back in one beat. `random` gives 0..1.
 */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs }: Backoff,
  random = Math.random,
): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}
