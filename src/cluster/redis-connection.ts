/*
 * One control plane's connections to Redis: one for commands, one for subscriptions. While Redis is
 * unreachable every command fails at once. After a reconnect (`onBack`) Redis may have lost its
 * data.
 */
import { Redis } from 'ioredis';
import type { Log } from '#shared/log.ts';
import { OperatorError } from '#shared/process/operator-error.ts';

/** Runs a Lua script with one key. */
export type RedisScript = (key: string, ...values: (string | number)[]) => Promise<unknown>;

const COUNT = `
  redis.call('SET', KEYS[1], 0, 'PX', ARGV[1], 'NX')
  return { redis.call('INCR', KEYS[1]), redis.call('PTTL', KEYS[1]) }`;

// Atomic: DECR on an expired key would create a counter that never expires.
const UNCOUNT = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end`;

const COMMAND_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;

export class RedisConnection {
  readonly #commands: Redis;
  readonly #subscriptions: Redis;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  readonly #onBack = new Set<() => void>();
  readonly #count: RedisScript;
  readonly #uncount: RedisScript;

  /** Resolves when both connections are ready. */
  static async open(url: string, log: Log): Promise<RedisConnection> {
    const connection = new RedisConnection(url, log);
    try {
      await Promise.all([connection.#commands.connect(), connection.#subscriptions.connect()]);
    } catch (error) {
      connection.close();
      throw new OperatorError(
        'Redis (REDIS_URL) does not answer: start it, or correct the address.',
        { cause: error },
      );
    }
    connection.#commands.on('ready', () => {
      for (const listener of connection.#onBack) listener();
    });
    return connection;
  }

  private constructor(url: string, log: Log) {
    const options = {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (tries: number) => Math.min(50 * 2 ** tries, MAX_RETRY_MS),
    };
    this.#commands = new Redis(url, options);
    // ioredis restores subscriptions after a reconnect.
    this.#subscriptions = new Redis(url, options);
    for (const redis of [this.#commands, this.#subscriptions])
      redis.on('error', (error: Error) => log.warn({ err: error }, 'Redis failed'));
    this.#subscriptions.on('message', (channel: string, text: string) => {
      for (const listener of this.#listeners.get(channel) ?? []) {
        try {
          listener(text);
        } catch (err) {
          // Any client of Redis can publish anything; here it would end the process.
          log.warn({ channel, err }, 'Redis message not handled');
        }
      }
    });
    this.#count = this.script('count', COUNT);
    this.#uncount = this.script('uncount', UNCOUNT);
  }

  /** `name` identifies the script on this connection. */
  script(name: string, lua: string): RedisScript {
    this.#commands.defineCommand(name, { numberOfKeys: 1, lua });
    const commands = this.#commands as unknown as Record<string, RedisScript>;
    return (key, ...values) => commands[name]!(key, ...values);
  }

  /**
   * Adds one to a counter that all control planes share and returns its value. It expires
   * `windowMs` after its first count; `ttl`: the milliseconds left.
   */
  async count(name: string, windowMs: number): Promise<{ current: number; ttl: number }> {
    const counted = await this.#count(countKey(name, windowMs), windowMs);
    const [current, ttl] = counted as unknown[];
    if (typeof current !== 'number' || typeof ttl !== 'number') {
      throw new Error('Redis did not count');
    }
    return { current, ttl };
  }

  /** Takes one count back. Does nothing after the counter expired. */
  async uncount(name: string, windowMs: number): Promise<void> {
    await this.#uncount(countKey(name, windowMs), windowMs);
  }

  /** Resolves with the number of subscribers that received the text. */
  publish(channel: string, text: string): Promise<unknown> {
    return this.#commands.publish(channel, text);
  }

  /** Returns a function that stops listening. */
  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    if (listeners.size === 1) await this.#subscriptions.subscribe(channel);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.#listeners.delete(channel);
      // May fail while Redis is unreachable. ioredis then leaves the channel out of the next
      // connection.
      this.#subscriptions.unsubscribe(channel).catch(() => {});
    };
  }

  /** Rejects unless both connections answer. */
  async check(): Promise<void> {
    await Promise.all([this.#commands.ping(), this.#subscriptions.ping()]);
  }

  /** Called after each reconnect. */
  onBack(listener: () => void): () => void {
    this.#onBack.add(listener);
    return () => this.#onBack.delete(listener);
  }

  close(): void {
    this.#commands.disconnect();
    this.#subscriptions.disconnect();
  }
}

const countKey = (name: string, windowMs: number): string => `{troupe}:count:${windowMs}:${name}`;
