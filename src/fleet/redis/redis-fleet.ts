/*
 * The fleet of several control planes (nodes), in Redis. Each worker belongs to the node that holds
 * its socket; other nodes send their assignments there. Atomic steps are in redis-fleet.lua.
 *
 * While Redis is unreachable no slot is reserved or freed. When it returns, perhaps empty, each
 * node publishes its workers and leases again.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { ORDERS, type Order } from '#protocol/worker/gateway-messages.ts';
import { placementKey, placementOf, type Placement } from '#protocol/placement.ts';
import type { Question, ResultOf } from '#protocol/worker/questions.ts';
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
import { ConnectedWorkers, type WorkerEntry } from '../connected-workers.ts';
import { NodeGone, type ClusterBus } from '../../cluster/cluster-bus.ts';
import { DEFAULT_RULES, type PlacementRules } from '../placement.ts';
import { QUESTION_RULES } from '../question-rules.ts';
import type { RedisConnection } from '../../cluster/redis-connection.ts';
import {
  noticeOf,
  readNotice,
  type AddressedOrder,
  type FleetNotices,
  type FleetRequests,
} from './messages.ts';
import { addPlaces, sumOf } from '../slot-counts.ts';
import { NodeLeases } from './node-leases.ts';
import { RedisLine } from './redis-line.ts';
import { RedisSlots } from './redis-slots.ts';
import { SharedQueue } from './shared-queue.ts';
import { PublishedWorkers } from './published-workers.ts';

type RedisFleetOptions = {
  redis: RedisConnection;
  bus: ClusterBus<FleetRequests, FleetNotices>;
  clock: Clock;
  log: Log;
  events: FleetEvents;
  /** Start of all keys. */
  prefix?: string;
  rules?: PlacementRules;
};

/** Pause before this node is published again. */
const REPUBLISH_MS = 1_000;

const NO_REDIS = 'No slot can be reserved at this moment. Please try again shortly.';

export class RedisFleet implements Fleet {
  readonly line: RedisLine;
  readonly #options: Required<RedisFleetOptions>;
  readonly #slots: RedisSlots;
  readonly #connected: ConnectedWorkers;
  readonly #published: PublishedWorkers;
  readonly #leases: NodeLeases;
  readonly #queue: SharedQueue;
  /** Assignments from other nodes that are being checked, until they are withdrawn. */
  readonly #arriving = new Set<string>();
  readonly #stop: (() => void)[] = [];
  #cancelPublish: () => void = () => {};
  #isClosed = false;

  static async open(options: RedisFleetOptions): Promise<RedisFleet> {
    const fleet = new RedisFleet(options);
    await fleet.#listen();
    return fleet;
  }

  private constructor(options: RedisFleetOptions) {
    this.#options = { prefix: '{troupe}:', rules: DEFAULT_RULES, ...options };
    const { redis, bus, prefix, clock, log, events } = this.#options;
    const { policy, maxWaiting, lateFramesLimit } = this.#options.rules;
    const now = () => clock.now();
    this.line = new RedisLine({ redis, prefix, maxPlaces: maxWaiting, now, log });
    this.#slots = new RedisSlots({ redis, prefix, policy, now });
    this.#leases = new NodeLeases(this.#slots);
    this.#published = new PublishedWorkers(this.#slots, bus.self);
    const onChanged = (entry: WorkerEntry) =>
      this.#inBackground(this.#published.publish(entry), 'worker not published');
    this.#connected = new ConnectedWorkers({ clock, log, events, lateFramesLimit, onChanged });
    this.#queue = new SharedQueue({
      slots: this.#slots,
      self: bus.self,
      clock,
      maxWaiting,
      grant: (request) => this.#leases.reserve(request),
      free: (lease) => this.#leases.free(lease),
      onFailed: (err) => log.warn({ err }, 'fleet: queue not served'),
    });
  }

  async join(worker: ConnectedWorker): Promise<void> {
    await this.#published.enter(this.#connected.join(worker));
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    if (!this.#connected.leave(worker)) return;
    await this.#published.leave(worker);
  }

  async changed({ facts }: ConnectedWorker): Promise<void> {
    const entry = this.#connected.get(facts.workerId);
    if (entry) await this.#published.enter(entry);
  }

  report(workerId: string, load: WorkerLoad): void {
    this.#connected.report(workerId, load);
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
    return this.#slots.refusal(requirements);
  }

  hold(lease: Lease): Promise<void> {
    return this.#leases.hold(lease);
  }

  free(lease: Lease): Promise<void> {
    return this.#leases.free(lease);
  }

  /** Another node now owns the session and its lease. */
  disown(sessionId: string): void {
    this.#leases.disown(sessionId);
  }

  async assign(lease: Lease, job: Job): Promise<Assignment> {
    const { clock, events } = this.#options;
    const askedAt = clock.elapsed();
    const assigned = await this.#assign(lease, job);
    const answer = assigned === 'absent' ? 'declined' : assigned;
    // The worker's cooldown is published before its slot is freed, or the session would get the
    // same worker again.
    if (answer === 'declined') await this.free(lease);
    events.emit('session.assigned', { answer, tookMs: clock.elapsed() - askedAt });
    return answer;
  }

  coolDown(workerId: string): void {
    this.#connected.coolDown(workerId);
  }

  async send(workerId: string, order: Order): Promise<void> {
    if (this.#connected.send(workerId, order)) return;
    const node = await this.#slots.nodeOf(workerId);
    if (node !== null) await this.#options.bus.publish(node, order.type, noticeOf(workerId, order));
  }

  async ask<OneQuestion extends Question>(
    workerId: string,
    question: OneQuestion,
  ): Promise<ResultOf<OneQuestion>> {
    const answer = this.#connected.ask(workerId, question);
    if (answer) return answer;
    const { bus, log } = this.#options;
    const node = await this.#slots.nodeOf(workerId);
    if (node === null || node === bus.self) return null;
    // A node that does not answer, or is older, knows none.
    const { answerMs: workMs } = QUESTION_RULES[question.type];
    const response = bus.request(node, 'ask', { workerId, question }, { workMs });
    return response.catch((err: unknown) => {
      log.debug({ node, workerId, question, err }, 'fleet: no answer from another node');
      return null;
    }) as Promise<ResultOf<OneQuestion>>;
  }

  async drain(workerId: string): Promise<boolean> {
    if (this.#connected.drain(workerId)) return true;
    const node = await this.#slots.nodeOf(workerId);
    return node !== null && this.#options.bus.request(node, 'drain', { workerId });
  }

  cordon(workerIds: ReadonlySet<string>): void {
    this.#connected.cordon(workerIds);
  }

  async counts(kind: WorkerKind = 'avatar'): Promise<FleetCounts> {
    const { byPool, leases } = await this.#counts(kind);
    return { ...sumOf(byPool.values()), leases };
  }

  async countsByPool(kind: WorkerKind): Promise<Map<string, SlotCounts>> {
    return (await this.#counts(kind)).byPool;
  }

  async isConnected(workerId: string): Promise<boolean> {
    if (this.#connected.get(workerId)) return true;
    // An entry of this node is stale: Redis has not removed it yet.
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
    this.#isClosed = true;
    this.#cancelPublish();
    for (const stop of this.#stop.splice(0)) stop();
    this.#queue.close();
    this.#connected.close();
    await this.#slots
      .forgetNode(this.#options.bus.self)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'fleet: this node not removed from Redis'),
      );
  }

  async #counts(kind: WorkerKind) {
    const counts = await this.#slots.counts(kind);
    addPlaces(counts.byPool, await this.line.waitingIn([...counts.byPool.keys()]));
    return counts;
  }

  async #listen(): Promise<void> {
    const { redis, prefix, bus } = this.#options;
    const onChange = (change: string) => {
      if (change === 'left') this.#queue.beginGrace();
      this.#queue.serve();
    };
    bus.onRequest('assign', ({ lease, job }) => this.#assignForOther(lease, job));
    bus.onRequest(
      'ask',
      async ({ workerId, question }) => (await this.#connected.ask(workerId, question)) ?? null,
    );
    bus.onRequest('drain', ({ workerId }) => this.#connected.drain(workerId));
    for (const type of ORDERS.map(({ properties }) => properties.type.const))
      bus.onNotice(type, (notice) => this.#sendFromOther(readNotice(type, notice)));
    bus.onGone((node) => this.#slots.forgetNode(node));
    const publishAll = () => void this.#publishAll();
    bus.onForgotten(publishAll);
    this.#stop.push(await redis.subscribe(`${prefix}changes`, onChange), redis.onBack(publishAll));
  }

  /** Repeated until it succeeds: workers that are not published get no sessions. */
  async #publishAll(): Promise<void> {
    const { clock, log } = this.#options;
    this.#cancelPublish();
    try {
      await this.#tryToPublishAll();
    } catch (err) {
      log.warn({ err }, 'fleet: node not published');
      if (this.#isClosed) return;
      this.#cancelPublish();
      this.#cancelPublish = clock.after(REPUBLISH_MS, () => void this.#publishAll());
    }
  }

  /** Publishes the whole state of this node, which Redis may have lost or missed. */
  async #tryToPublishAll(): Promise<void> {
    // Removes workers that left while Redis was unreachable.
    await this.#slots.forgetNode(this.#options.bus.self);
    this.#queue.forgetPublished();
    for (const entry of this.#connected.all()) await this.#published.enter(entry);
    await this.#leases.publish();
    this.#queue.serve();
  }

  /**
   * If the worker's node does not answer, the assignment may still arrive: tell the worker to drop
   * it.
   */
  async #assign(lease: Lease, job: Job): Promise<Assignment | 'absent'> {
    const answer = await this.#connected.assign(lease, job);
    if (answer !== 'absent') return answer;
    const { bus } = this.#options;
    const node = await this.#slots.nodeOf(lease.workerId);
    if (node === null || node === bus.self) return 'absent';
    return bus.request(node, 'assign', { lease, job }).catch((error: unknown) => {
      if (!(error instanceof NodeGone)) throw error;
      const drop = noticeOf(lease.workerId, { type: 'drop', placement: placementOf(lease) });
      this.#inBackground(bus.publish(node, 'drop', drop), 'drop not published');
      return 'declined';
    });
  }

  /**
   * Declines what arrives too late, because this node stood still: the session has another lease,
   * and Redis may have lost the notice to drop it. In the room the worker would displace its
   * successor.
   */
  async #assignForOther(lease: Lease, job: Job): Promise<Assignment | 'absent'> {
    const key = placementKey(lease);
    this.#arriving.add(key);
    try {
      const isHeld = await this.#slots.isHeld(lease);
      if (!isHeld || !this.#arriving.has(key)) return 'declined';
    } finally {
      this.#arriving.delete(key);
    }
    return this.#connected.assign(lease, job);
  }

  #sendFromOther({ workerId, order }: AddressedOrder): void {
    if (order.type === 'end' || order.type === 'drop')
      this.#arriving.delete(placementKey(order.placement));
    this.#connected.send(workerId, order);
  }

  #inBackground(work: Promise<unknown>, sentence: string): void {
    work.catch((error: unknown) => this.#options.log.warn({ err: error }, `fleet: ${sentence}`));
  }
}
