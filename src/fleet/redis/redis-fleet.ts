/*
 * The fleet of several control planes, in Redis. A worker belongs to the control plane that holds its socket, and so do the sessions that it
 * performs: whoever reserved a slot of it hands the session over to there. What must be one step is in redis-fleet.lua.
 *
 * Redis may go away, and come back empty: slots are neither given nor taken meanwhile, and whoever holds sockets then says anew what is
 * there.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import { Fault } from '../../errors.ts';
import type {
  Assignment,
  ConnectedWorker,
  Fleet,
  FleetCounts,
  FleetEvents,
  Job,
  Lease,
  Refusal,
  ReserveOptions,
  SlotCounts,
  Requirements,
  WorkerKind,
  WorkerLoad,
  WorkerStatus,
} from '../fleet.ts';
import { Leases } from '../leases.ts';
import { ConnectedWorkers, type Member } from '../connected-workers.ts';
import { NodeGone, type ClusterNotices, type ClusterBus } from '../../cluster/cluster-bus.ts';
import { kindOf, type Policy } from '../placement.ts';
import type { RedisConnection } from '../../cluster/redis-connection.ts';
import { RedisSlots } from './redis-slots.ts';
import { SharedQueue, type SlotRequest } from './shared-queue.ts';
import { PublishedWorkers } from './published-workers.ts';

export type RedisFleetOptions = {
  redis: RedisConnection;
  bus: ClusterBus;
  clock: Clock;
  log: Log;
  events: FleetEvents;
  /** What all keys begin with. */
  prefix?: string;
  policy?: Policy;
  maxWaiting?: number;
  restMs?: number;
  graceMs?: number;
};

const NO_REDIS = 'No slot can be reserved at this moment. Please try again shortly.';

export class RedisFleet implements Fleet {
  readonly #options: Required<RedisFleetOptions>;
  readonly #slots: RedisSlots;
  readonly #members: ConnectedWorkers;
  readonly #published: PublishedWorkers;
  /** Of the sessions that live here. */
  readonly #held = new Leases();
  /** Those that came free, or may have been reserved, while Redis was away. */
  #unfreed: Placement[] = [];
  readonly #queue: SharedQueue;
  readonly #stop: (() => void)[] = [];

  static async open(options: RedisFleetOptions): Promise<RedisFleet> {
    const fleet = new RedisFleet(options);
    await fleet.#listen();
    return fleet;
  }

  private constructor(options: RedisFleetOptions) {
    const usual = {
      prefix: '{troupe}:',
      policy: 'spread',
      maxWaiting: 1_000,
      restMs: 1_000,
      graceMs: 3_000,
    } as const;
    this.#options = { ...usual, ...options };
    const { redis, bus, prefix, policy, clock, log, events } = this.#options;
    const { restMs, graceMs, maxWaiting } = this.#options;
    this.#slots = new RedisSlots({ redis, prefix, policy, now: () => clock.now() });
    this.#published = new PublishedWorkers(this.#slots, bus.self);
    const onChanged = (member: Member) =>
      this.#inBackground(this.#published.say(member), 'not told');
    this.#members = new ConnectedWorkers({ clock, log, events, restMs, onChanged });
    this.#queue = new SharedQueue({
      slots: this.#slots,
      self: bus.self,
      clock,
      maxWaiting,
      graceMs,
      grant: (request) => this.#grant(request),
      free: (lease) => this.free(lease),
      onFailed: (err) => log.warn({ err }, 'fleet: nobody served'),
    });
  }

  async join(worker: ConnectedWorker): Promise<void> {
    await this.#published.enter(this.#members.join(worker));
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    if (!this.#members.leave(worker)) return;
    await this.#published.leave(worker);
  }

  report(workerId: string, load: WorkerLoad): void {
    this.#members.report(workerId, load);
  }

  async reserve(
    placement: Placement,
    requirements: Requirements,
    options: ReserveOptions,
  ): Promise<Lease | null> {
    const { clock, events } = this.#options;
    const askedAt = clock.elapsed();
    const request = { placement, requirements };
    const lease = await this.#queue.reserve(request, options).catch((cause: unknown) => {
      throw new Fault('at_capacity', { detail: NO_REDIS, retryAfterSeconds: 2, cause });
    });
    const { isUrgent = false } = options;
    const waitedMs = clock.elapsed() - askedAt;
    if (lease) events.emit('slot.reserved', { kind: requirements.kind, waitedMs, isUrgent });
    return lease;
  }

  async refusal(requirements: Requirements): Promise<Refusal> {
    return this.#slots.why(requirements);
  }

  async hold(lease: Lease): Promise<void> {
    // Whatever Redis says now: it is told again when it comes back.
    this.#held.take(lease);
    if (!(await this.#slots.hold(lease))) throw new Error('a newer lease of this session exists');
  }

  async free(lease: Lease): Promise<void> {
    this.#held.free(lease);
    await this.#free(lease);
  }

  /** The session lives at another control plane by now, and so does its lease. */
  disown(sessionId: string): void {
    const lease = this.#held.of(sessionId);
    if (lease) this.#held.free(lease);
  }

  async assign(lease: Lease, job: Job): Promise<Assignment> {
    const { clock, events } = this.#options;
    const askedAt = clock.elapsed();
    const told = await this.#assign(lease, job);
    const answer = told === 'absent' ? 'declined' : told;
    // A worker that rests is told of before its slot comes free: the session must not come back to it at once.
    if (answer === 'declined') await this.free(lease);
    events.emit('session.assigned', { answer, tookMs: clock.elapsed() - askedAt });
    return answer;
  }

  rest(workerId: string): void {
    this.#members.rest(workerId);
  }

  async end(lease: Lease, reason: EndReason): Promise<void> {
    if (!this.#members.end(lease, reason))
      await this.#tell('end', lease.workerId, { lease, reason });
  }

  async release(lease: Lease, withinMs: number): Promise<void> {
    if (this.#members.release(lease, withinMs)) return;
    await this.#tell('release', lease.workerId, { lease, withinMs });
  }

  async drop(workerId: string, placement: Placement): Promise<void> {
    if (this.#members.drop(workerId, placement)) return;
    await this.#tell('drop', workerId, { workerId, placement });
  }

  async drain(workerId: string): Promise<boolean> {
    if (this.#members.drain(workerId)) return true;
    const node = await this.#slots.nodeOf(workerId);
    return node !== null && this.#options.bus.request(node, 'drain', { workerId });
  }

  counts(kind: WorkerKind = 'avatar'): Promise<FleetCounts> {
    return this.#slots.counts(kind);
  }

  async countsByPool(kind: WorkerKind): Promise<Map<string, SlotCounts>> {
    return (await this.#slots.countsByPool(kind)).byPool;
  }

  async isConnected(workerId: string): Promise<boolean> {
    if (this.#members.get(workerId)) return true;
    // An entry of our own that Redis could not remove yet is no connection.
    const node = await this.#slots.nodeOf(workerId);
    return node !== null && node !== this.#options.bus.self;
  }

  workers(): Promise<WorkerStatus[]> {
    return this.#slots.workers();
  }

  leases(): Promise<Lease[]> {
    return this.#slots.leases();
  }

  async close(): Promise<void> {
    for (const stop of this.#stop.splice(0)) stop();
    this.#queue.close();
    this.#members.close();
    await this.#slots
      .forgetNode(this.#options.bus.self)
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'fleet: still in Redis'));
  }

  async #listen(): Promise<void> {
    const { redis, prefix, bus } = this.#options;
    const onChange = (what: string) => {
      if (what === 'left') this.#queue.beginGrace();
      this.#queue.serve();
    };
    bus.onRequest('assign', ({ lease, job }) => this.#members.assign(lease, job));
    bus.onRequest('drain', ({ workerId }) => this.#members.drain(workerId));
    bus.onNotice('end', ({ lease, reason }) => this.#members.end(lease, reason));
    bus.onNotice('release', ({ lease, withinMs }) => this.#members.release(lease, withinMs));
    bus.onNotice('drop', ({ workerId, placement }) => this.#members.drop(workerId, placement));
    bus.onGone((node) => this.#slots.forgetNode(node));
    const sayAll = () => this.#inBackground(this.#sayAll(), 'not told');
    bus.onForgotten(sayAll);
    this.#stop.push(await redis.subscribe(`${prefix}changes`, onChange), redis.onBack(sayAll));
  }

  /** Says what is here: Redis may have lost it, or missed what changed. */
  async #sayAll(): Promise<void> {
    // A worker that left meanwhile could not be taken off the list.
    await this.#slots.forgetNode(this.#options.bus.self);
    this.#queue.forgetTold();
    for (const member of this.#members.all()) await this.#published.enter(member);
    // One that fails again is kept, and so are those behind it.
    for (let next = this.#unfreed.shift(); next; next = this.#unfreed.shift())
      await this.#free(next);
    for (const lease of this.#held.all()) await this.#slots.hold(lease);
    this.#queue.serve();
  }

  async #grant({ placement, requirements }: SlotRequest): Promise<Lease | null> {
    try {
      const lease = await this.#slots.reserve(placement, kindOf(requirements));
      if (lease) this.#held.take(lease);
      return lease;
    } catch (error) {
      // Whether it was done is not known.
      this.#unfreed.push(placement);
      throw error;
    }
  }

  async #free({ sessionId, epoch }: Placement): Promise<void> {
    try {
      await this.#slots.free({ sessionId, epoch });
    } catch (error) {
      this.#unfreed.push({ sessionId, epoch });
      throw error;
    }
  }

  /** When the control plane that holds the worker's socket does not answer, the worker is told to drop what may come to it yet. */
  async #assign(lease: Lease, job: Job): Promise<Assignment | 'absent'> {
    const told = await this.#members.assign(lease, job);
    if (told !== 'absent') return told;
    const { bus } = this.#options;
    const node = await this.#slots.nodeOf(lease.workerId);
    if (node === null || node === bus.self) return 'absent';
    return bus.request(node, 'assign', { lease, job }).catch((error: unknown) => {
      if (!(error instanceof NodeGone)) throw error;
      const { workerId, sessionId, epoch } = lease;
      const told = { workerId, placement: { sessionId, epoch } };
      this.#inBackground(bus.publish(node, 'drop', told), 'drop not told');
      return 'declined';
    });
  }

  /** To whoever holds the worker's socket; nobody when it is not connected. */
  async #tell<Type extends 'end' | 'release' | 'drop'>(
    type: Type,
    workerId: string,
    told: ClusterNotices[Type],
  ): Promise<void> {
    const node = await this.#slots.nodeOf(workerId);
    if (node !== null) await this.#options.bus.publish(node, type, told);
  }

  #inBackground(work: Promise<unknown>, sentence: string): void {
    work.catch((error: unknown) => this.#options.log.warn({ err: error }, `fleet: ${sentence}`));
  }
}
