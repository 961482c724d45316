/* Pure policy: whether a canary is worse than the pool that it is compared with. */
import type { Arm, Tally } from '../../records/fleet/canaries.ts';

/** One broken machine is no reason. */
const LEAST_FAILURES = 3;
/** Low, because the question is asked after each failure. */
const LARGEST_CHANCE = 0.001;

/**
 * True when as many failures of the canary would hardly ever happen by chance if both pools were
 * equally good (Fisher's exact test, one-sided).
 */
export function isWorse({ canary, stable }: Record<Arm, Tally>): boolean {
  if (canary.failures < LEAST_FAILURES) return false;
  return chanceOfAsMany(canary, stable) < LARGEST_CHANCE;
}

/** That at least this many of all failures fall on the canary's sessions. */
function chanceOfAsMany(canary: Tally, stable: Tally): number {
  const totalSessions = canary.sessions + stable.sessions;
  const failed = canary.failures + stable.failures;
  const draws = logChoices(totalSessions, canary.sessions);
  let chance = 0;
  for (let k = canary.failures; k <= Math.min(failed, canary.sessions); k += 1)
    chance += Math.exp(
      logChoices(failed, k) + logChoices(totalSessions - failed, canary.sessions - k) - draws,
    );
  return chance;
}

/** Logarithm of the number of ways to choose `k` of `n`. */
function logChoices(n: number, k: number): number {
  if (k < 0 || k > n) return -Infinity;
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Exact sums for small numbers, Stirling's series beyond. */
function logFactorial(n: number): number {
  if (n > 50) return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n);
  let sum = 0;
  for (let i = 2; i <= n; i += 1) sum += Math.log(i);
  return sum;
}
