export type Backoff = { firstMs: number; maxMs: number };

/**
 * Exponential backoff before retry `attempt` (1 = the first). Jitter in the upper half keeps
 * workers that lost the same gateway from reconnecting at once. `random` returns 0..1.
 */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs }: Backoff,
  random = Math.random,
): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}
