import { AddressRefused, type Outgoing } from '#shared/network/address-policy.ts';
import { inTime, type Clock } from '#shared/clock.ts';

/** The caller waits. */
const RESOLVE_MS = 2_000;
/**
 * Answers are kept this long, because busy callers open hundreds of rooms at one server. The worker
 * resolves the name for each connection.
 */
const KEEP_MS = 5_000;
const MAX_KEPT = 1_000;

/** Why room URLs are refused by the address policy, as texts for callers. */
export class AddressRefusals {
  readonly #outgoing: Pick<Outgoing, 'addressesOf'>;
  readonly #clock: Clock;
  /** By origin, oldest first. */
  readonly #kept = new Map<string, { at: number; refusal: Promise<string | null> }>();

  constructor(outgoing: Pick<Outgoing, 'addressesOf'>, clock: Clock) {
    this.#outgoing = outgoing;
    this.#clock = clock;
  }

  /** Null also if the name does not resolve in time. */
  of(url: string): Promise<string | null> {
    const { origin } = new URL(url);
    const at = this.#clock.elapsed();
    const cacheEntry = this.#kept.get(origin);
    if (cacheEntry && at - cacheEntry.at < KEEP_MS) return cacheEntry.refusal;
    const refusal = this.#find(url);
    this.#kept.delete(origin);
    this.#kept.set(origin, { at, refusal });
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return refusal;
  }

  async #find(url: string): Promise<string | null> {
    const { protocol, hostname } = new URL(url);
    const resolving = this.#outgoing.addressesOf(hostname, /^(wss|https):$/.test(protocol));
    try {
      await inTime(this.#clock, RESOLVE_MS, resolving, () => new Error('resolving took too long'));
      return null;
    } catch (error) {
      return error instanceof AddressRefused ? error.message : null;
    }
  }
}
