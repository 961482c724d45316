/*
 * The fleet of a single control plane, in memory. Changes are synchronous, so two callers cannot
 * get the same slot.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Order } from '#protocol/worker/gateway-messages.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Question, ResultOf } from '#protocol/worker/questions.ts';
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
import { ConnectedWorkers, type WorkerEntry } from '../connected-workers.ts';
import {
  canPerform,
  DEFAULT_RULES,
  choose,
  freeSlots,
  isOffering,
  kindOf,
  NOBODY,
  poolIfOf,
  stateOf,
  whyNone,
  type PlacementRules,
  type WorkerSnapshot,
} from '../placement.ts';
import { GRACE_MS, grantAtOnce, SlotQueue } from '../queue.ts';
import { addPlaces, countsOf, sumOf } from '../slot-counts.ts';
import { LocalLine } from './local-line.ts';

type Request = { placement: Placement; requirements: Requirements };

type LocalFleetOptions = {
  clock: Clock;
  log: Log;
  events: FleetEvents;
  rules?: PlacementRules;
};

export class LocalFleet implements Fleet {
  readonly line: LocalLine;
  readonly #options: Required<LocalFleetOptions>;
  readonly #connected: ConnectedWorkers;
  readonly #snapshots = new Map<string, WorkerSnapshot>();
  /** Workers with a free slot. */
  readonly #offering = new Map<string, WorkerSnapshot>();
  readonly #leases = new Leases();
  readonly #queue: SlotQueue<Request, Lease>;
  #graceEndsAt: number;

  constructor(options: LocalFleetOptions) {
    this.#options = { rules: DEFAULT_RULES, ...options };
    const { clock, log, events } = this.#options;
    const { maxWaiting, lateFramesLimit } = this.#options.rules;
    this.#graceEndsAt = clock.elapsed() + GRACE_MS;
    const onChanged = ({ worker }: WorkerEntry) => {
      this.#refresh(worker.facts.workerId);
      this.#queue.serve();
    };
    this.#connected = new ConnectedWorkers({ clock, log, events, lateFramesLimit, onChanged });
    const grant = grantAtOnce<Request, Lease>((request) => this.#grant(request));
    this.#queue = new SlotQueue(clock, maxWaiting, grant);
    const freeSlotsFor = (requirements: Requirements) => this.#freeSlotsFor(requirements);
    this.line = new LocalLine({ clock, maxPlaces: maxWaiting, freeSlots: freeSlotsFor });
  }

  async join(worker: ConnectedWorker): Promise<void> {
    this.#connected.join(worker);
    this.#refresh(worker.facts.workerId);
    this.#queue.serve();
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    if (!this.#connected.leave(worker)) return;
    this.#refresh(worker.facts.workerId);
    this.#graceEndsAt = this.#options.clock.elapsed() + GRACE_MS;
  }

  async changed({ facts }: ConnectedWorker): Promise<void> {
    this.#refresh(facts.workerId);
    this.#queue.serve();
  }

  report(workerId: string, load: WorkerLoad): void {
    this.#connected.report(workerId, load);
  }

  async reserve(
    placement: Placement,
    requirements: Requirements,
    { waitMs, ...options }: ReserveOptions,
  ): Promise<Lease | null> {
    const { clock, events } = this.#options;
    const askedAt = clock.elapsed();
    const isHopeless =
      whyNone(this.#snapshots.values(), requirements) === NOBODY[requirements.kind];
    const maxWaitMs =
      isHopeless && !options.isUrgent ? Math.max(0, this.#graceEndsAt - askedAt) : waitMs;
    const lease = await this.#queue.wait(
      { placement, requirements },
      { ...options, waitMs: Math.min(waitMs, maxWaitMs), kind: kindOf(requirements) },
    );
    const isUrgent = options.isUrgent ?? false;
    const waitedMs = clock.elapsed() - askedAt;
    if (lease) events.emit('slot.reserved', { kind: requirements.kind, waitedMs, isUrgent });
    return lease;
  }

  async refusal(requirements: Requirements): Promise<Refusal> {
    return whyNone(this.#snapshots.values(), requirements);
  }

  async hold(lease: Lease): Promise<void> {
    this.#take(lease);
  }

  async free(lease: Lease): Promise<void> {
    const freed = this.#leases.free(lease);
    if (!freed) return;
    this.#refresh(freed.workerId);
    this.#queue.serve();
  }

  async assign(lease: Lease, job: Job): Promise<Assignment> {
    const { clock, events } = this.#options;
    const askedAt = clock.elapsed();
    const answer = await this.#assign(lease, job);
    events.emit('session.assigned', { answer, tookMs: clock.elapsed() - askedAt });
    return answer;
  }

  coolDown(workerId: string): void {
    this.#connected.coolDown(workerId);
  }

  async send(workerId: string, order: Order): Promise<void> {
    this.#connected.send(workerId, order);
  }

  async ask<OneQuestion extends Question>(
    workerId: string,
    question: OneQuestion,
  ): Promise<ResultOf<OneQuestion>> {
    return (await this.#connected.ask(workerId, question)) ?? null;
  }

  async drain(workerId: string): Promise<boolean> {
    return this.#connected.drain(workerId);
  }

  cordon(workerIds: ReadonlySet<string>): void {
    this.#connected.cordon(workerIds);
  }

  async counts(kind: WorkerKind = 'avatar'): Promise<FleetCounts> {
    const pools = await this.countsByPool(kind);
    return { ...sumOf(pools.values()), leases: this.#leases.size };
  }

  async countsByPool(kind: WorkerKind): Promise<Map<string, SlotCounts>> {
    const byPool = new Map<string, SlotCounts>();
    for (const worker of this.#snapshots.values()) {
      if (worker.facts.kind !== kind) continue;
      const counts = countsOf(byPool, worker.facts.pool);
      counts.workers += 1;
      counts.draining += worker.isDraining ? 1 : 0;
      counts.slots += worker.facts.slots;
      counts.free += isOffering(worker) ? freeSlots(worker) : 0;
    }
    for (const [pool, depth] of this.#queue.depths(poolIfOf(kind)))
      Object.assign(countsOf(byPool, pool), depth);
    addPlaces(byPool, this.line.waitingByPool());
    return byPool;
  }

  async isConnected(workerId: string): Promise<boolean> {
    return this.#connected.get(workerId) !== undefined;
  }

  async workers(): Promise<WorkerStatus[]> {
    return [...this.#connected.all()].map((entry) => {
      const { worker, load, performing, since, isCordoned } = entry;
      const { facts } = worker;
      const taken = this.#leases.takenOf(facts.workerId);
      return { facts, load, performing, taken, since, isCordoned, state: stateOf(entry) };
    });
  }

  async leases(): Promise<Lease[]> {
    return this.#leases.all();
  }

  async close(): Promise<void> {
    this.#queue.close();
    this.#connected.close();
    this.#snapshots.clear();
    this.#offering.clear();
  }

  #grant({ placement, requirements }: Request): Lease | null {
    const workerId = choose(this.#offering.values(), requirements, this.#options.rules.policy);
    if (workerId === null) return null;
    const lease = { ...placement, workerId };
    this.#take(lease);
    return lease;
  }

  #freeSlotsFor(requirements: Requirements): number | null {
    const able = [...this.#snapshots.values()].filter((each) => canPerform(each, requirements));
    if (able.length === 0) return null;
    return able.filter(isOffering).reduce((sum, worker) => sum + freeSlots(worker), 0);
  }

  async #assign(lease: Lease, job: Job): Promise<Assignment> {
    const answer = await this.#connected.assign(lease, job);
    if (answer === 'accepted' || answer === 'gone') return answer;
    // The worker is cooling down, so the session does not get the same slot again.
    await this.free(lease);
    return 'declined';
  }

  #take(lease: Lease): void {
    const older = this.#leases.take(lease);
    this.#refresh(lease.workerId);
    if (older && older.workerId !== lease.workerId) this.#refresh(older.workerId);
  }

  /** Call when the worker or its leases have changed. */
  #refresh(workerId: string): void {
    this.#snapshots.delete(workerId);
    this.#offering.delete(workerId);
    const entry = this.#connected.get(workerId);
    if (!entry) return;
    const { worker, isDraining, isCordoned, isOverloaded, isCoolingDown } = entry;
    const taken = this.#leases.takenOf(workerId);
    const flags = { isDraining, isCordoned, isOverloaded, isCoolingDown };
    const snapshot = { facts: worker.facts, taken, ...flags };
    this.#snapshots.set(workerId, snapshot);
    if (isOffering(snapshot) && freeSlots(snapshot) > 0) this.#offering.set(workerId, snapshot);
  }
}
