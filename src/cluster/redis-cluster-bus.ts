/*
 * Control planes in Redis. Each says every moment that it lives; whoever first sees that another one has stopped to say so takes it off the
 * list, in the same step, and cleans up after it. Redis' clock counts, not that of the machines.
 */
import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import {
  NodeGone,
  type NoticeType,
  type ClusterNotices,
  type ClusterRequests,
  type ClusterBus,
  type RequestType,
} from './cluster-bus.ts';
import type { RedisConnection } from './redis-connection.ts';

export type RedisClusterBusOptions = {
  redis: RedisConnection;
  clock: Clock;
  log: Log;
  self?: string;
  prefix?: string;
  beatMs?: number;
  /** Not heard of for so long, a control plane is taken for gone. */
  goneMs?: number;
  answerMs?: number;
};

type Answer = (asked: never) => unknown;

type Letter =
  | { id: string; from: string; type: RequestType; asked: unknown }
  | { from: string; type: NoticeType; told: unknown }
  | { id: string; answer: unknown }
  | { id: string; error: string };

/** Of all control planes. */
const ALL = 'all';

export class RedisClusterBus implements ClusterBus {
  readonly self: string;
  readonly #options: Required<RedisClusterBusOptions>;
  readonly #asked = new Map<string, (letter: Letter | null) => void>();
  readonly #answers = new Map<RequestType, Answer>();
  readonly #listeners = new Map<NoticeType, Set<(told: never) => void>>();
  readonly #onGone = new Set<(node: string) => Promise<void>>();
  readonly #onForgotten = new Set<() => void>();
  #stopListening: (() => void)[] = [];
  #cancelBeat: () => void = () => {};
  #isClosed = false;

  static async open(options: RedisClusterBusOptions): Promise<RedisClusterBus> {
    const nodes = new RedisClusterBus(options);
    for (const name of [nodes.self, ALL]) {
      const channel = nodes.#channelOf(name);
      nodes.#stopListening.push(await options.redis.subscribe(channel, nodes.#receive));
    }
    await nodes.#beat();
    return nodes;
  }

  private constructor(options: RedisClusterBusOptions) {
    const usual = { prefix: '{troupe}:', beatMs: 1_500, goneMs: 5_000, answerMs: 5_000 };
    this.#options = { self: newName('control'), ...usual, ...options };
    this.self = this.#options.self;
  }

  async living(): Promise<string[]> {
    const { redis, prefix } = this.#options;
    return (await redis.fleet(prefix, 'nodes', '')) as string[];
  }

  async request<Type extends RequestType>(
    node: string,
    type: Type,
    asked: ClusterRequests[Type]['asked'],
  ): Promise<ClusterRequests[Type]['answered']> {
    const { clock, answerMs } = this.#options;
    const id = newName('question');
    const answered = new Promise<Letter | null>((resolve) => {
      const cancel = clock.after(answerMs, () => settle(null));
      const settle = (letter: Letter | null) => {
        cancel();
        this.#asked.delete(id);
        resolve(letter);
      };
      this.#asked.set(id, settle);
    });
    const heardBy = await this.#send(node, { id, from: this.self, type, asked }).catch(() => 0);
    if (heardBy === 0) this.#asked.get(id)?.(null);
    const letter = await answered;
    if (!letter) throw new NodeGone(`${node} does not answer`);
    if ('error' in letter) throw new Error(letter.error);
    if (!('answer' in letter)) throw new Error('an answer without an answer');
    return letter.answer as ClusterRequests[Type]['answered'];
  }

  onRequest<Type extends RequestType>(
    type: Type,
    answer: (asked: ClusterRequests[Type]['asked']) => unknown,
  ): void {
    this.#answers.set(type, answer);
  }

  async publish<Type extends NoticeType>(
    node: string | null,
    type: Type,
    told: ClusterNotices[Type],
  ): Promise<void> {
    await this.#send(node ?? ALL, { from: this.self, type, told });
  }

  onNotice<Type extends NoticeType>(
    type: Type,
    listener: (told: ClusterNotices[Type]) => void,
  ): void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  }

  onGone(listener: (node: string) => Promise<void>): void {
    this.#onGone.add(listener);
  }

  onForgotten(listener: () => void): void {
    this.#onForgotten.add(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    for (const stop of this.#stopListening) stop();
    for (const settle of this.#asked.values()) settle(null);
    const { redis, prefix } = this.#options;
    // The others would find out by themselves.
    await redis.fleet(prefix, 'goodbye', '', this.self).catch(() => {});
  }

  async #beat(): Promise<void> {
    const { redis, prefix, clock, log, beatMs, goneMs } = this.#options;
    try {
      const beat = await redis.fleet(prefix, 'beat', '', this.self, goneMs);
      const [isNew, gone] = beat as [number, string[]];
      if (isNew === 1) for (const listener of this.#onForgotten) listener();
      for (const node of gone) this.#bury(node);
    } catch (error) {
      log.warn({ err: error }, 'Redis was not told that this control plane lives');
    }
    if (!this.#isClosed) this.#cancelBeat = clock.after(beatMs, () => void this.#beat());
  }

  #bury(node: string): void {
    const { log } = this.#options;
    log.warn({ node }, 'control plane gone');
    for (const listener of this.#onGone)
      listener(node).catch((error: unknown) =>
        log.error({ node, err: error }, 'not cleaned up after a control plane'),
      );
  }

  readonly #receive = (text: string): void => {
    const letter = JSON.parse(text) as Letter;
    if ('told' in letter) return this.#hear(letter);
    if (!('asked' in letter)) return this.#asked.get(letter.id)?.(letter);
    const { id, from, type, asked } = letter;
    this.#answer(type, asked)
      .then(
        (answer): Letter => ({ id, answer: answer ?? null }),
        (error: unknown): Letter => ({ id, error: String(error) }),
      )
      .then((answer) => this.#send(from, answer))
      // Whoever asked is told by its own clock.
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'answer not sent'));
  };

  #hear({ from, type, told }: Extract<Letter, { told: unknown }>): void {
    // What is told to all comes back.
    if (from === this.self) return;
    for (const listener of this.#listeners.get(type) ?? []) listener(told as never);
  }

  async #answer(type: RequestType, asked: unknown): Promise<unknown> {
    const answer = this.#answers.get(type);
    if (!answer) throw new Error(`nobody here answers ${type}`);
    return answer(asked as never);
  }

  /** How many heard it. */
  async #send(node: string, letter: Letter): Promise<number> {
    return Number(await this.#options.redis.publish(this.#channelOf(node), JSON.stringify(letter)));
  }

  #channelOf(node: string): string {
    return `${this.#options.prefix}node:${node}`;
  }
}
