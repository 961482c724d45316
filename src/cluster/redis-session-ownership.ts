import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ClusterBus } from './cluster-bus.ts';
import { clusterScript } from './cluster-script.ts';
import type { RedisConnection, RedisScript } from './redis-connection.ts';
import type { Adoption, SessionOwnership } from './session-ownership.ts';

type RedisSessionOwnershipOptions = {
  redis: RedisConnection;
  bus: Pick<ClusterBus<object, object>, 'self' | 'onForgotten'>;
  clock: Clock;
  log: Log;
  prefix?: string;
};

/** Answers of cluster.lua to `adopt`. */
const ADOPTIONS: Record<number, Adoption> = { 0: 'elsewhere', 1: 'owned', 2: 'unclear' };

/** Pause before a claim without an answer is repeated. */
const RETRY_MS = 1_000;

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
  /** Sessions whose last claim failed. Another node may own them. */
  readonly #unanswered = new Set<string>();
  #cancelRetry: (() => void) | null = null;
  #isClosed = false;

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

  async adopt(sessionId: string): Promise<Adoption> {
    const { self } = this.#options.bus;
    const adoption = ADOPTIONS[Number(await this.#run('adopt', sessionId, self))];
    if (!adoption) throw new Error('Redis did not say who owns the session');
    if (adoption === 'owned') this.#own.add(sessionId);
    return adoption;
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
    this.#isClosed = true;
    this.#stop();
    this.#cancelRetry?.();
  }

  #claimAll(): void {
    for (const sessionId of this.#own) this.#claimAgain(sessionId);
  }

  #claimAgain(sessionId: string): void {
    this.#unanswered.delete(sessionId);
    this.claim(sessionId).catch((error: unknown) => {
      const { clock, log } = this.#options;
      this.#unanswered.add(sessionId);
      // The first failure of a round stands for all of it.
      if (this.#isClosed || this.#cancelRetry) return;
      log.warn({ sessionId, err: error }, 'session ownership not published');
      this.#cancelRetry = clock.after(RETRY_MS, () => this.#retry());
    });
  }

  #retry(): void {
    this.#cancelRetry = null;
    for (const sessionId of this.#unanswered)
      if (this.#own.has(sessionId)) this.#claimAgain(sessionId);
    this.#unanswered.clear();
  }

  #run(command: string, ...values: string[]): Promise<unknown> {
    return this.#script(this.#options.prefix, command, ...values);
  }
}
