import type { IncomingMessage } from 'node:http';
import type { Log } from '../log.ts';

/** Counts refused handshakes by client address, for a minute. */
export type RefusedHandshakes = {
  addressOf(request: IncomingMessage): string;
  /** `ttl`: milliseconds until the count starts again. */
  add(address: string): { current: number; ttl: number };
};

/** Refused handshakes of one address in a minute that are answered with the reason and logged. */
const MAX_REFUSED = 60;

/**
 * Counts and logs one. Null while the address may learn the reason; else the seconds until it may
 * again. `what` names the token.
 */
export function countRefused(
  request: IncomingMessage,
  { refused, log }: { refused: RefusedHandshakes; log: Log },
  what: 'worker' | 'botroom',
): number | null {
  const from = refused.addressOf(request);
  const { current, ttl } = refused.add(from);
  if (current <= MAX_REFUSED) {
    log.warn({ from }, `invalid ${what} token`);
    return null;
  }
  // Logged once: a flood must not fill the log.
  if (current === MAX_REFUSED + 1) log.warn({ from }, `too many invalid ${what} tokens`);
  return Math.ceil(ttl / 1_000);
}
