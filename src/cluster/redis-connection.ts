/*
 * The connections of one control plane to Redis: one for commands, one that listens. While Redis is away every command fails at once, so
 * that nobody waits for it; `onBack` tells when it is there again, perhaps with nothing in it.
 */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { Log } from '#shared/log.ts';

const SCRIPTS = {
  fleet: readFileSync(new URL('../fleet/redis/redis-fleet.lua', import.meta.url), 'utf8'),
  count: `
    redis.call('SET', KEYS[1], 0, 'PX', ARGV[1], 'NX')
    return { redis.call('INCR', KEYS[1]), redis.call('PTTL', KEYS[1]) }`,
  // In one go: a count that is made anew by taking away would never be forgotten.
  uncount: `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end`,
};

type Scripted = Redis &
  Record<keyof typeof SCRIPTS, (key: string, ...values: (string | number)[]) => Promise<unknown>>;

const COMMAND_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;

export class RedisConnection {
  readonly #commands: Scripted;
  readonly #messages: Redis;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  readonly #onBack = new Set<() => void>();

  /** Resolves when Redis is there. */
  static async open(url: string, log: Log): Promise<RedisConnection> {
    const link = new RedisConnection(url, log);
    try {
      await Promise.all([link.#commands.connect(), link.#messages.connect()]);
    } catch (error) {
      link.close();
      throw new Error('Redis (REDIS_URL) does not answer: start it, or correct the address.', {
        cause: error,
      });
    }
    link.#commands.on('ready', () => {
      for (const listener of link.#onBack) listener();
    });
    return link;
  }

  private constructor(url: string, log: Log) {
    const options = {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (tries: number) => Math.min(50 * 2 ** tries, MAX_RETRY_MS),
    };
    this.#commands = new Redis(url, options) as Scripted;
    // It subscribes again by itself.
    this.#messages = new Redis(url, options);
    for (const [name, lua] of Object.entries(SCRIPTS))
      this.#commands.defineCommand(name, { numberOfKeys: 1, lua });
    for (const redis of [this.#commands, this.#messages])
      redis.on('error', (error: Error) => log.warn({ err: error }, 'Redis failed'));
    this.#messages.on('message', (channel: string, text: string) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(text);
    });
  }

  /** Runs a verb of redis-fleet.lua. */
  fleet(prefix: string, verb: string, ...values: (string | number)[]): Promise<unknown> {
    return this.#commands.fleet(prefix, verb, ...values);
  }

  /** How often `name` was counted, by all who share this Redis, since the first time within `windowMs`; `ttl`: when that is forgotten. */
  async count(name: string, windowMs: number): Promise<{ current: number; ttl: number }> {
    const counted = await this.#commands.count(countKey(name, windowMs), windowMs);
    const [current, ttl] = counted as unknown[];
    if (typeof current !== 'number' || typeof ttl !== 'number') {
      throw new Error('Redis did not count');
    }
    return { current, ttl };
  }

  /** One of these does not count; nothing happens when it is forgotten already. */
  async uncount(name: string, windowMs: number): Promise<void> {
    await this.#commands.uncount(countKey(name, windowMs));
  }

  publish(channel: string, text: string): Promise<unknown> {
    return this.#commands.publish(channel, text);
  }

  /** Call what it returns to stop listening. */
  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    if (listeners.size === 1) await this.#messages.subscribe(channel);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.#listeners.delete(channel);
      // Away or not: a new connection subscribes to what is listened to then.
      this.#messages.unsubscribe(channel).catch(() => {});
    };
  }

  /** Whenever Redis was away and is there again. */
  onBack(listener: () => void): () => void {
    this.#onBack.add(listener);
    return () => this.#onBack.delete(listener);
  }

  close(): void {
    this.#commands.disconnect();
    this.#messages.disconnect();
  }
}

const countKey = (name: string, windowMs: number): string => `{troupe}:count:${windowMs}:${name}`;
