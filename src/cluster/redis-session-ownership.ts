import type { Log } from '#shared/log.ts';
import type { ClusterBus } from './cluster-bus.ts';
import { clusterScript } from './cluster-script.ts';
import type { RedisConnection, RedisScript } from './redis-connection.ts';
import type { SessionOwnership } from './session-ownership.ts';

type RedisSessionOwnershipOptions = {
  redis: RedisConnection;
  bus: Pick<ClusterBus<object, object>, 'self' | 'onForgotten'>;
  log: Log;
  prefix?: string;
};

/**
 * Claims its sessions again when Redis was unreachable, which may have lost them, and when this
 * node was taken for gone, because other nodes may have taken them over.
 */
export class RedisSessionOwnership implements SessionOwnership {
  readonly #options: Required<RedisSessionOwnershipOptions>;
  readonly #script: RedisScript;
  readonly #own = new Set<string>();
  readonly #onTakenOver = new Set<(sessionId: string) => void>();
  readonly #stop: () => void;

  constructor(options: RedisSessionOwnershipOptions) {
    this.#options = { prefix: '{troupe}:', ...options };
    this.#script = clusterScript(options.redis);
    this.#stop = options.redis.onBack(() => this.#claimAll());
    options.bus.onForgotten(() => this.#claimAll());
  }

  async claim(sessionId: string): Promise<boolean> {
    this.#own.add(sessionId);
    const isOwn = (await this.#run('own', sessionId, this.#options.bus.self)) === 1;
    if (!isOwn && this.#own.delete(sessionId))
      for (const listener of this.#onTakenOver) listener(sessionId);
    return isOwn;
  }

  onTakenOver(listener: (sessionId: string) => void): void {
    this.#onTakenOver.add(listener);
  }

  async release(sessionId: string): Promise<void> {
    this.#own.delete(sessionId);
    await this.#run('disown', sessionId, this.#options.bus.self);
  }

  async ownerOf(sessionId: string): Promise<string | null> {
    return (await this.#run('owner_of', sessionId)) as string | null;
  }

  async ownedBy(node: string): Promise<string[]> {
    return (await this.#run('owned_by', node)) as string[];
  }

  close(): void {
    this.#stop();
  }

  #claimAll(): void {
    for (const sessionId of this.#own)
      this.claim(sessionId).catch((error: unknown) =>
        this.#options.log.warn({ sessionId, err: error }, 'session ownership not published'),
      );
  }

  #run(command: string, ...values: string[]): Promise<unknown> {
    return this.#script(this.#options.prefix, command, ...values);
  }
}
