/* How long wrong guesses wait. `http/limits/guesses.ts` has the rule. */

/** The first ones cost nothing: people mistype. */
export const FREE_GUESSES = 10;

/** The wait after each further guess. */
export const WAITS_MS = [1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * 1000);

/** One wrong guess is forgotten in this time, from the end of the last wait. */
export const FORGET_MS = 60_000;

/** Counting ends where waits stop growing, so that a flood is forgotten as soon. */
export const MAX_COUNT = FREE_GUESSES + WAITS_MS.length;

/** `count`: of wrong guesses, less what is forgotten. */
export const waitAfter = (count: number): number =>
  WAITS_MS[Math.ceil(count) - FREE_GUESSES - 1] ?? 0;
