/*
 * Nodes in Redis. Each node sends a heartbeat. The first node to see that another one stopped takes
 * it off the list atomically and cleans up after it.
 */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import { NodeGone, type ClusterBus, type RequestMap, type RequestTime } from './cluster-bus.ts';
import { clusterScript } from './cluster-script.ts';
import type { RedisConnection, RedisScript } from './redis-connection.ts';

type RedisClusterBusOptions = {
  redis: RedisConnection;
  clock: Clock;
  log: Log;
  self?: string;
  prefix?: string;
  beatMs?: number;
  /** A node without a heartbeat for this long is gone. */
  goneMs?: number;
  /** Limit of the round trip. */
  answerMs?: number;
};

/** Keep the field names: nodes of different versions may share a Redis. */
const Envelope = Type.Union([
  Type.Object({ id: Type.String(), from: Type.String(), type: Type.String(), asked: Type.Any() }),
  Type.Object({ from: Type.String(), type: Type.String(), told: Type.Any() }),
  Type.Object({ id: Type.String(), answer: Type.Any() }),
  Type.Object({ id: Type.String(), error: Type.String() }),
]);
type Envelope = Static<typeof Envelope>;

const isEnvelope = Compile(Envelope);

/** The channel of all nodes. */
const ALL = 'all';

export class RedisClusterBus<Requests extends RequestMap<Requests>, Notices> implements ClusterBus<
  Requests,
  Notices
> {
  readonly self: string;
  readonly #options: Required<RedisClusterBusOptions>;
  readonly #script: RedisScript;
  /** Requests of this node that wait for a response; null: the other node is gone. */
  readonly #pending = new Map<string, (response: Envelope | null) => void>();
  readonly #handlers = new Map<string, (request: never) => unknown>();
  readonly #listeners = new Map<string, Set<(notice: never) => void>>();
  readonly #onGone = new Set<(node: string) => Promise<void>>();
  readonly #onForgotten = new Set<() => void>();
  #stopListening: (() => void)[] = [];
  #cancelBeat: () => void = () => {};
  /** The last heartbeat was not answered: it may have put this node back on the list. */
  #isBeatUnclear = false;
  #isClosed = false;

  static async open<Requests extends RequestMap<Requests>, Notices>(
    options: RedisClusterBusOptions,
  ): Promise<RedisClusterBus<Requests, Notices>> {
    const bus = new RedisClusterBus<Requests, Notices>(options);
    for (const name of [bus.self, ALL]) {
      const channel = bus.#channelOf(name);
      bus.#stopListening.push(await options.redis.subscribe(channel, bus.#receive));
    }
    await bus.#beat();
    return bus;
  }

  private constructor(options: RedisClusterBusOptions) {
    const defaults = { prefix: '{troupe}:', beatMs: 1_500, goneMs: 5_000, answerMs: 5_000 };
    this.#options = { self: newName('control'), ...defaults, ...options };
    this.#script = clusterScript(options.redis);
    this.self = this.#options.self;
  }

  async living(): Promise<string[]> {
    return (await this.#script(this.#options.prefix, 'nodes')) as string[];
  }

  async request<Type extends keyof Requests & string>(
    node: string,
    type: Type,
    request: Requests[Type]['request'],
    { workMs = 0 }: RequestTime = {},
  ): Promise<Requests[Type]['response']> {
    const { clock, answerMs } = this.#options;
    const id = newName('question');
    const responded = new Promise<Envelope | null>((resolve) => {
      const cancel = clock.after(answerMs + workMs, () => settle(null));
      const settle = (response: Envelope | null) => {
        cancel();
        this.#pending.delete(id);
        resolve(response);
      };
      this.#pending.set(id, settle);
    });
    const envelope = { id, from: this.self, type, asked: request };
    const receivers = await this.#send(node, envelope).catch(() => 0);
    if (receivers === 0) this.#pending.get(id)?.(null);
    const response = await responded;
    if (!response) throw new NodeGone(`${node} does not answer`);
    if ('error' in response) throw new Error(response.error);
    if (!('answer' in response)) throw new Error('response without an answer');
    return response.answer;
  }

  onRequest<Type extends keyof Requests & string>(
    type: Type,
    answer: (request: Requests[Type]['request']) => unknown,
  ): void {
    this.#handlers.set(type, answer);
  }

  async publish<Type extends keyof Notices & string>(
    node: string | null,
    type: Type,
    notice: Notices[Type],
  ): Promise<void> {
    await this.#send(node ?? ALL, { from: this.self, type, told: notice });
  }

  onNotice<Type extends keyof Notices & string>(
    type: Type,
    listener: (notice: Notices[Type]) => void,
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
    for (const settle of this.#pending.values()) settle(null);
    // Best effort: without it the other nodes notice after `goneMs`.
    await this.#script(this.#options.prefix, 'goodbye', this.self).catch(() => {});
  }

  async #beat(): Promise<void> {
    const { prefix, clock, log, beatMs, goneMs } = this.#options;
    try {
      const beat = await this.#script(prefix, 'beat', this.self, goneMs);
      const [isNew, goneNodes] = beat as [number, string[]];
      const wasForgotten = isNew === 1 || this.#isBeatUnclear;
      this.#isBeatUnclear = false;
      if (wasForgotten) for (const listener of this.#onForgotten) listener();
      for (const node of goneNodes) this.#cleanUpAfter(node);
    } catch (error) {
      this.#isBeatUnclear = true;
      log.warn({ err: error }, 'control plane heartbeat not sent');
    }
    if (!this.#isClosed) this.#cancelBeat = clock.after(beatMs, () => void this.#beat());
  }

  #cleanUpAfter(node: string): void {
    const { log } = this.#options;
    log.warn({ node }, 'control plane gone');
    for (const listener of this.#onGone)
      listener(node).catch((error: unknown) =>
        log.error({ node, err: error }, 'cleanup after a control plane failed'),
      );
  }

  readonly #receive = (text: string): void => {
    const envelope = parseEnvelope(text);
    if ('told' in envelope) return this.#notify(envelope);
    if (!('asked' in envelope)) return this.#pending.get(envelope.id)?.(envelope);
    const { id, from, type, asked: request } = envelope;
    this.#handle(type, request)
      .then(
        (answer): Envelope => ({ id, answer: answer ?? null }),
        (error: unknown): Envelope => ({ id, error: String(error) }),
      )
      .then((response) => this.#send(from, response))
      // The other node times out.
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'response not sent'));
  };

  #notify({ from, type, told: notice }: Extract<Envelope, { told: unknown }>): void {
    // A notice to all nodes also reaches its sender.
    if (from === this.self) return;
    for (const listener of this.#listeners.get(type) ?? []) {
      try {
        listener(notice as never);
      } catch (err) {
        this.#options.log.warn({ from, type, err }, 'notice not handled');
      }
    }
  }

  async #handle(type: string, request: unknown): Promise<unknown> {
    const handler = this.#handlers.get(type);
    if (!handler) throw new Error(`no handler for ${type}`);
    return handler(request as never);
  }

  /** Returns the number of receivers. */
  async #send(node: string, envelope: Envelope): Promise<number> {
    const text = JSON.stringify(envelope);
    return Number(await this.#options.redis.publish(this.#channelOf(node), text));
  }

  #channelOf(node: string): string {
    return `${this.#options.prefix}node:${node}`;
  }
}

function parseEnvelope(text: string): Envelope {
  const value: unknown = JSON.parse(text);
  if (!isEnvelope.Check(value)) throw new Error('not a message of a control plane');
  return value;
}
