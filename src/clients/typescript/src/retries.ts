/* Which failures are tried again, and after which time. Pure. */

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;

/** A longer wait is left to the caller. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** The service did not carry out what it answers with these. */
const REFUSED = [429, 503];

/** It may have carried it out. */
const UNKNOWN = [408, 500, 502, 504];

/**
 * `isRepeatable`: carrying the request out twice has the effect of once. `status`: null if there
 * was no answer.
 */
export function mayRetry(status: number | null, isRepeatable: boolean): boolean {
  if (status !== null && REFUSED.includes(status)) return true;
  return isRepeatable && (status === null || UNKNOWN.includes(status));
}

/**
 * Milliseconds before the next try; null if the service asks for more patience than is sensible.
 * `tries`: failed ones. `random`: from 0 to 1.
 */
export function retryDelayMs(
  tries: number,
  { retryAfter, now, random }: { retryAfter: string | null; now: number; random: number },
): number | null {
  const serverDelayMs = retryAfterMs(retryAfter, now);
  if (serverDelayMs !== null) return serverDelayMs <= LONGEST_RETRY_AFTER_MS ? serverDelayMs : null;
  return backoffMs(tries, random);
}

/** Clients that failed together come back one by one. */
export function backoffMs(tries: number, random: number): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return delay * (1 - random / 4);
}

/** Seconds, or the time as an HTTP date. */
function retryAfterMs(text: string | null, now: number): number | null {
  if (text === null || text.trim() === '') return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
