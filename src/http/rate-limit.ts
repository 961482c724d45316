/*
 * How often somebody may ask, counted by the minute of the injected clock: every key by itself; whoever shows no valid key by address,
 * so that many callers behind one address do not stand in each other's way. Only refused requests count there: a key that is good is
 * taken however many bad ones came before it.
 */
import rateLimit, { normalizeIP, type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';

const MINUTE_MS = 60_000;

/** An address may stand for many callers. */
const STRANGERS_FACTOR = 5;

/** What an answer says of the limit. */
export const RATE_LIMIT_HEADERS = {
  limit: 'ratelimit-limit',
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
} as const;

type Count = { current: number; ttl: number };

/** How often each name came in this minute. Forgets all of them when it is over, so nothing grows and no timer is needed. */
export class MinuteCounts implements FastifyRateLimitStore {
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(name: string): Count {
    const now = this.#clock.elapsed();
    if (now >= this.#endsAt) {
      this.#counts.clear();
      this.#endsAt = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    }
    const current = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, current);
    return { current, ttl: this.#endsAt - now };
  }

  /** That one does not count. */
  takeBack(name: string): void {
    const current = this.#counts.get(name);
    if (current !== undefined) this.#counts.set(name, current - 1);
  }

  incr(name: string, callback: (error: null, count: Count) => void): void {
    callback(null, this.add(name));
  }

  child(): MinuteCounts {
    return new MinuteCounts(this.#clock);
  }
}

export type RateLimits = {
  /** Throws `rate_limit` when too many requests without a valid key came from this address. */
  countStranger(request: FastifyRequest): void;
};

/** Call it once, before `limitKeys`. */
export async function addRateLimits(
  app: FastifyInstance,
  { clock, requestsPerMinute }: { clock: Clock; requestsPerMinute: number },
): Promise<RateLimits> {
  class Store extends MinuteCounts {
    constructor() {
      super(clock);
    }
  }
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    store: Store,
    timeWindow: MINUTE_MS,
    max: requestsPerMinute,
    keyGenerator: (request) => request.limitedAs,
    errorResponseBuilder: (_request, { ttl }) => refusal(ttl),
  });
  const strangers = new MinuteCounts(clock);
  return {
    countStranger(request) {
      const { current, ttl } = strangers.add(addressOf(request));
      if (current > STRANGERS_FACTOR * requestsPerMinute) throw refusal(ttl);
    },
  };
}

/** Every route of `app` counts for whom the caller was found to be: call it after the hook that finds out. */
export function limitKeys(app: FastifyInstance): void {
  app.addHook('onRequest', app.rateLimit());
}

/** IPv6 callers hold whole networks: one of these counts as one address. */
export const addressOf = (request: FastifyRequest): string => normalizeIP(request.ip);

export const refusal = (ttl: number): Fault =>
  new Fault('rate_limit', { retryAfterSeconds: Math.ceil(ttl / 1000) });
