import type { Log } from '#shared/log.ts';
import type { SessionOwnership } from './session-ownership.ts';
import type { ClusterBus } from './cluster-bus.ts';
import type { RedisConnection } from './redis-connection.ts';

export type RedisSessionOwnershipOptions = {
  redis: RedisConnection;
  bus: Pick<ClusterBus, 'self' | 'onForgotten'>;
  log: Log;
  prefix?: string;
};

/** Says anew which sessions live here when Redis was away, which may have lost them, or this control plane was, whose sessions others may have. */
export class RedisSessionOwnership implements SessionOwnership {
  readonly #options: Required<RedisSessionOwnershipOptions>;
  readonly #own = new Set<string>();
  readonly #onElsewhere = new Set<(sessionId: string) => void>();
  readonly #stop: () => void;

  constructor(options: RedisSessionOwnershipOptions) {
    this.#options = { prefix: '{troupe}:', ...options };
    this.#stop = options.redis.onBack(() => this.#sayAll());
    options.bus.onForgotten(() => this.#sayAll());
  }

  async settle(sessionId: string): Promise<boolean> {
    this.#own.add(sessionId);
    const isHere = (await this.#run('settle', sessionId, this.#options.bus.self)) === 1;
    if (!isHere && this.#own.delete(sessionId))
      for (const listener of this.#onElsewhere) listener(sessionId);
    return isHere;
  }

  onElsewhere(listener: (sessionId: string) => void): void {
    this.#onElsewhere.add(listener);
  }

  async leave(sessionId: string): Promise<void> {
    this.#own.delete(sessionId);
    await this.#run('unsettle', sessionId, this.#options.bus.self);
  }

  async of(sessionId: string): Promise<string | null> {
    return (await this.#run('home_of', sessionId)) as string | null;
  }

  async at(node: string): Promise<string[]> {
    return (await this.#run('homed_at', node)) as string[];
  }

  close(): void {
    this.#stop();
  }

  #sayAll(): void {
    for (const sessionId of this.#own)
      this.settle(sessionId).catch((error: unknown) =>
        this.#options.log.warn({ sessionId, err: error }, 'home not told'),
      );
  }

  #run(verb: string, ...values: string[]): Promise<unknown> {
    return this.#options.redis.fleet(this.#options.prefix, verb, '', ...values);
  }
}
