/*
 * How often somebody may ask, counted by the minute of the injected clock: every key by itself; whoever shows no valid key by address,
 * so that many callers behind one address do not stand in each other's way. Only refused requests count there: a key that is good is
 * taken however many bad ones came before it.
 */
import { callbackify } from 'node:util';
import rateLimit, { normalizeIP, type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';

const MINUTE_MS = 60_000;

/** An address may stand for many callers. */
const STRANGERS_FACTOR = 5;

/** What an answer says of the limit. */
export const RATE_LIMIT_HEADERS = {
  limit: 'ratelimit-limit',
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
} as const;

/** `ttl`: how much longer it counts, in milliseconds. */
type Count = { current: number; ttl: number };

/** What several control planes count together. Rejects while that cannot be asked. */
export interface SharedRateCounter {
  count(name: string, windowMs: number): Promise<Count>;
  /** One of these does not count. */
  uncount(name: string, windowMs: number): Promise<void>;
}

/** How often each name came in this minute, or another while. Forgets all of them when it is over, so nothing grows and no timer is needed. */
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

  /** That one does not count. */
  takeBack(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }

  incr(name: string, callback: (error: null, count: Count) => void): void {
    callback(null, this.add(name));
  }

  child(): WindowCounts {
    return new WindowCounts(this.#clock, this.#windowMs);
  }
}

/** The same, of all control planes together; of this one alone while the others cannot be asked, or where there are none. */
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
    // Counted here all the same: for as long as the others cannot be asked, this is what there is.
    const own = this.#own.add(name);
    if (!this.#shared) return own;
    return this.#shared.count(name, this.#windowMs).catch(() => own);
  }

  async takeBack(name: string): Promise<void> {
    this.#own.takeBack(name);
    // Who cannot be told forgets it with the window.
    await this.#shared?.uncount(name, this.#windowMs).catch(() => {});
  }
}

export type RateLimits = {
  /** Throws `rate_limit` when too many requests without a valid key came from this address. */
  countStranger(request: FastifyRequest): void;
};

export type LimitsParts = {
  clock: Clock;
  requestsPerMinute: number;
  /** Null: this control plane is the only one. */
  sharedRateCounter: SharedRateCounter | null;
};

/** Call it once, before `limitKeys`. */
export async function addRateLimits(
  app: FastifyInstance,
  { clock, requestsPerMinute, sharedRateCounter }: LimitsParts,
): Promise<RateLimits> {
  class Store extends WindowCounts {
    constructor() {
      super(clock);
    }

    override incr(name: string, callback: (error: null, count: Count) => void): void {
      // Counted here all the same: for as long as the others cannot be asked, this is what there is.
      const own = this.add(name);
      if (!sharedRateCounter) return callback(null, own);
      const counted = sharedRateCounter.count(name, MINUTE_MS).catch(() => own);
      callbackify(() => counted)((_never, count) => callback(null, count));
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
  const strangers = new WindowCounts(clock);
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

export const refusal = (ttl: number, detail?: string): Fault =>
  new Fault('rate_limit', {
    retryAfterSeconds: Math.ceil(ttl / 1000),
    ...(detail !== undefined && { detail }),
  });
