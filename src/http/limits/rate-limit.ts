/*
 * Rate limits per minute of the injected clock. Requests with a valid key count per key. Requests
 * without one count per address, and only those: bad keys never block a good key from the same
 * address.
 */
import { callbackify } from 'node:util';
import rateLimit, { normalizeIP, type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { withoutPort } from '#shared/network/networks.ts';
import { Fault } from '../../errors.ts';

const MINUTE_MS = 60_000;

/** Many callers may share one address. */
const STRANGERS_FACTOR = 5;

/** Response headers. */
export const RATE_LIMIT_HEADERS = {
  limit: 'ratelimit-limit',
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
} as const;

/** `ttl`: milliseconds until the window ends. */
type Count = { current: number; ttl: number };

/** Counts across control planes. Rejects while the shared store is unavailable. */
export interface SharedRateCounter {
  count(name: string, windowMs: number): Promise<Count>;
  /** Reverts one `count`. */
  uncount(name: string, windowMs: number): Promise<void>;
}

/** Counts per name in a fixed window. The next window clears all counts, so no timer is needed. */
export class WindowCounts implements FastifyRateLimitStore {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(clock: Clock, windowMs = MINUTE_MS) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  add(name: string): Count {
    const now = this.#clock.elapsed();
    if (now >= this.#endsAt) {
      this.#counts.clear();
      this.#endsAt = (Math.floor(now / this.#windowMs) + 1) * this.#windowMs;
    }
    const current = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, current);
    return { current, ttl: this.#endsAt - now };
  }

  /** Reverts one `add`. */
  takeBack(name: string): void {
    const count = (this.#counts.get(name) ?? 0) - 1;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }

  incr(name: string, callback: (error: null, count: Count) => void): void {
    callback(null, this.add(name));
  }

  child(): WindowCounts {
    return new WindowCounts(this.#clock, this.#windowMs);
  }
}

/**
 * `WindowCounts` across control planes. Falls back to local counts while the shared store is
 * unavailable.
 */
export class SharedWindow {
  readonly #own: WindowCounts;
  readonly #windowMs: number;
  readonly #shared: SharedRateCounter | null;

  constructor(clock: Clock, windowMs: number, shared: SharedRateCounter | null) {
    this.#own = new WindowCounts(clock, windowMs);
    this.#windowMs = windowMs;
    this.#shared = shared;
  }

  async add(name: string): Promise<Count> {
    // Always count locally too: the fallback while the shared store is unavailable.
    const localCount = this.#own.add(name);
    if (!this.#shared) return localCount;
    return this.#shared.count(name, this.#windowMs).catch(() => localCount);
  }

  async takeBack(name: string): Promise<void> {
    this.#own.takeBack(name);
    // If this fails, the count expires with the window.
    await this.#shared?.uncount(name, this.#windowMs).catch(() => {});
  }
}

type RateLimits = {
  /** Throws `rate_limit` when too many requests without a valid key came from this address. */
  countStranger(request: FastifyRequest): void;
};

type RateLimitParts = {
  clock: Clock;
  settings: { requestsPerMinute: number };
  /** Null: this control plane is the only one. */
  sharedRateCounter: SharedRateCounter | null;
};

/** Counted by each control plane for itself. */
export function strangerLimits({
  clock,
  settings,
}: Omit<RateLimitParts, 'sharedRateCounter'>): RateLimits {
  const strangers = new WindowCounts(clock);
  return {
    countStranger(request) {
      const { current, ttl } = strangers.add(addressOf(request));
      if (current > STRANGERS_FACTOR * settings.requestsPerMinute) throw refusal(ttl);
    },
  };
}

/** Call once, before `limitKeys`. */
export async function addRateLimits(
  app: FastifyInstance,
  { clock, settings, sharedRateCounter }: RateLimitParts,
): Promise<void> {
  class Store extends WindowCounts {
    constructor() {
      super(clock);
    }

    override incr(name: string, callback: (error: null, count: Count) => void): void {
      // Always count locally too: the fallback while the shared store is unavailable.
      const localCount = this.add(name);
      if (!sharedRateCounter) return callback(null, localCount);
      const counted = sharedRateCounter.count(name, MINUTE_MS).catch(() => localCount);
      callbackify(() => counted)((_never, count) => callback(null, count));
    }
  }
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    store: Store,
    timeWindow: MINUTE_MS,
    max: settings.requestsPerMinute,
    keyGenerator: (request) => request.limitedAs,
    errorResponseBuilder: (_request, { ttl }) => refusal(ttl),
  });
}

/** Limits every route of `app` by `request.limitedAs`. Call after the hook that sets it. */
export function limitKeys(app: FastifyInstance): void {
  app.addHook('onRequest', app.rateLimit());
}

/** The visitor's address for counting, also behind TRUSTED_PROXIES. */
export const addressOf = ({ ip }: FastifyRequest): string => countedAs(ip);

/** An IPv6 network counts as one address. */
export const countedAs = (address: string): string => normalizeIP(withoutPort(address));

export const refusal = (ttl: number, detail?: string): Fault =>
  new Fault('rate_limit', {
    retryAfterSeconds: Math.ceil(ttl / 1000),
    ...(detail !== undefined && { detail }),
  });
