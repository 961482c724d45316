/*
 * Redis in memory, on a test's clock: what cluster.lua does, the leases of the fleet, and messages
 * between nodes. It can be emptied; connections can be cut and stalled. The contract of
 * test/cluster holds for it as for a real Redis.
 */
import type { Clock } from '#shared/clock.ts';
import type { RedisConnection } from '../../../src/cluster/redis-connection.ts';
import type { Lease, Placement } from '../../../src/fleet/fleet.ts';

type Listener = (text: string) => void;

/** As in src/cluster/redis-connection.ts. */
const COMMAND_TIMEOUT_MS = 2_000;

export class SimulatedRedis {
  readonly leases = new Map<string, Lease>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #nodes = new Map<string, number>();
  readonly #homes = new Map<string, string>();
  #settledAt: number | null = null;
  readonly #connections = new Set<SimulatedConnection>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  connect(clock: Clock): SimulatedConnection {
    const connection = new SimulatedConnection(this, clock);
    this.#connections.add(connection);
    return connection;
  }

  disconnect(connection: SimulatedConnection): void {
    this.#connections.delete(connection);
  }

  /** It loses its data. Connections stay. */
  empty(): void {
    this.leases.clear();
    this.#nodes.clear();
    this.#homes.clear();
    this.#settledAt = null;
  }

  publish(channel: string, text: string): number {
    const receivers = [...this.#connections].filter((connection) => connection.hears(channel));
    for (const connection of receivers) connection.receive(channel, text);
    return receivers.length;
  }

  /** As `take` of redis-fleet.lua. False: the session has a newer lease. */
  takeLease(lease: Lease): boolean {
    if ((this.leases.get(lease.sessionId)?.epoch ?? 0) > lease.epoch) return false;
    this.leases.set(lease.sessionId, lease);
    return true;
  }

  freeLease({ sessionId, epoch }: Placement): void {
    if (this.leases.get(sessionId)?.epoch === epoch) this.leases.delete(sessionId);
  }

  /** A command of cluster.lua. */
  run(command: string, [first = '', second = '']: string[]): unknown {
    switch (command) {
      case 'beat':
        return this.#beat(first, Number(second));
      case 'nodes':
        return [...this.#nodes.keys()];
      case 'goodbye':
        return this.#nodes.has(first) && this.#nodes.set(first, 0) && 0;
      case 'own':
        return this.#own(first, second);
      case 'adopt':
        return this.#adopt(first, second);
      case 'disown':
        return this.#homes.get(first) === second && this.#homes.delete(first) ? 1 : 0;
      case 'owner_of':
        return this.#homes.get(first) ?? null;
      case 'owned_by':
        return [...this.#homes].flatMap(([session, node]) => (node === first ? [session] : []));
      default:
        throw new Error(`no command ${command}`);
    }
  }

  #beat(node: string, goneMs: number): [number, string[]] {
    const now = this.#clock.now();
    this.#settledAt ??= now + goneMs;
    const isNew = this.#nodes.has(node) ? 0 : 1;
    this.#nodes.set(node, now);
    const goneNodes = [...this.#nodes].flatMap(([name, at]) => (at <= now - goneMs ? [name] : []));
    for (const name of goneNodes) this.#nodes.delete(name);
    return [isNew, goneNodes];
  }

  #own(session: string, node: string): number {
    const owner = this.#homes.get(session);
    if (owner !== undefined && owner !== node && (this.#nodes.has(owner) || !this.#isSettled))
      return 0;
    this.#homes.set(session, node);
    return 1;
  }

  #adopt(session: string, node: string): number {
    const owner = this.#homes.get(session);
    if (owner === node) return 1;
    if (owner !== undefined && this.#nodes.has(owner)) return 0;
    if (!this.#isSettled) return 2;
    this.#homes.set(session, node);
    return 1;
  }

  get #isSettled(): boolean {
    return this.#settledAt !== null && this.#clock.now() >= this.#settledAt;
  }
}

type Line = 'open' | 'stalled' | 'cut';

/** The part of a `RedisConnection` that a node uses. What it sends and receives stays in order. */
export class SimulatedConnection {
  readonly #redis: SimulatedRedis;
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #onBack = new Set<() => void>();
  #line: Line = 'open';
  #openSince = 0;
  #waiting: (() => void)[] = [];

  constructor(redis: SimulatedRedis, clock: Clock) {
    this.#redis = redis;
    this.#clock = clock;
  }

  /** For code that takes a real connection. */
  get asConnection(): RedisConnection {
    return this as unknown as RedisConnection;
  }

  /** How long it has been open. */
  get openForMs(): number {
    return this.#line === 'open' ? this.#clock.elapsed() - this.#openSince : 0;
  }

  /** Commands and messages wait until `restore`, however long. */
  stall(): void {
    if (this.#line === 'open') this.#line = 'stalled';
  }

  /** Commands fail, messages are lost. */
  cut(): void {
    this.#line = 'cut';
    this.#waiting = [];
  }

  restore(): void {
    const wasCut = this.#line === 'cut';
    if (this.#line === 'open') return;
    this.#line = 'open';
    this.#openSince = this.#clock.elapsed();
    for (const run of this.#waiting.splice(0)) run();
    if (wasCut) for (const listener of this.#onBack) listener();
  }

  script(_name: string, _lua: string) {
    return (_key: string, command: string, ...values: (string | number)[]) =>
      this.send(() => this.#redis.run(command, values.map(String)));
  }

  publish(channel: string, text: string): Promise<unknown> {
    return this.send(() => this.#redis.publish(channel, text));
  }

  async subscribe(channel: string, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  onBack(listener: () => void): () => void {
    this.#onBack.add(listener);
    return () => this.#onBack.delete(listener);
  }

  hears(channel: string): boolean {
    return this.#line !== 'cut' && (this.#listeners.get(channel)?.size ?? 0) > 0;
  }

  receive(channel: string, text: string): void {
    const deliver = () => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(text);
    };
    if (this.#line === 'stalled') this.#waiting.push(deliver);
    else queueMicrotask(deliver);
  }

  /** Runs a command. A command that timed out may still run later. */
  send<Result>(command: () => Result): Promise<Result> {
    if (this.#line === 'cut') return Promise.reject(new Error('Redis is away'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const cancel = this.#clock.after(COMMAND_TIMEOUT_MS, () =>
      reject(new Error('Redis did not answer')),
    );
    const run = () => {
      cancel();
      resolve(command());
    };
    if (this.#line === 'stalled') this.#waiting.push(run);
    else run();
    return promise;
  }
}
