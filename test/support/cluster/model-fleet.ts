import type { Order } from '#protocol/worker/gateway-messages.ts';
import { placementKey, type Placement } from '#protocol/placement.ts';
import type { Clock } from '#shared/clock.ts';
import { delay } from '#shared/clock.ts';
import type {
  Assignment,
  Lease,
  Requirements,
  ReserveOptions,
  SessionFleet,
  WorkerStatus,
} from '../../../src/fleet/fleet.ts';
import { LocalLine } from '../../../src/fleet/local/local-line.ts';
import { NodeLeases } from '../../../src/fleet/redis/node-leases.ts';
import type { SimulatedConnection, SimulatedRedis } from './simulated-redis.ts';

export type ModelWorker = {
  workerId: string;
  slots: number;
  /** Epochs of the sessions that it performs. */
  performing: Map<string, number>;
  /** The node that holds its socket; null while it is not connected. */
  node: string | null;
};

type ModelFleetParts = {
  self: string;
  redis: SimulatedRedis;
  connection: SimulatedConnection;
  workers: readonly ModelWorker[];
  clock: Clock;
};

const RETRY_MS = 500;

/** The fleet of one node. Workers are objects; leases are in Redis, and again in the node. */
export class ModelFleet implements SessionFleet {
  readonly line: LocalLine;
  readonly nodeLeases: NodeLeases;
  readonly #parts: ModelFleetParts;

  constructor(parts: ModelFleetParts) {
    this.#parts = parts;
    const { redis, connection, clock } = parts;
    // Its sessions are no calls, so nobody stands in it.
    this.line = new LocalLine({ clock, maxPlaces: 0, freeSlots: () => null });
    this.nodeLeases = new NodeLeases({
      reserve: (placement) => connection.send(() => this.#take(placement)),
      hold: (lease) => connection.send(() => redis.takeLease(lease)),
      free: (placement) => connection.send(() => redis.freeLease(placement)),
    });
  }

  async reserve(
    placement: Placement,
    requirements: Requirements,
    { waitMs, signal }: ReserveOptions,
  ): Promise<Lease | null> {
    const { clock } = this.#parts;
    const until = clock.elapsed() + waitMs;
    for (;;) {
      const lease = await this.nodeLeases.reserve({ placement, requirements });
      if (lease || clock.elapsed() >= until || signal?.aborted) return lease;
      await delay(clock, RETRY_MS);
    }
  }

  async refusal() {
    return 'full' as const;
  }

  hold(lease: Lease): Promise<void> {
    return this.nodeLeases.hold(lease);
  }

  free(lease: Lease): Promise<void> {
    return this.nodeLeases.free(lease);
  }

  async leases(): Promise<Lease[]> {
    const { connection, redis } = this.#parts;
    return connection.send(() => [...redis.leases.values()]);
  }

  /** At another node, only what its lease allows. */
  async assign(lease: Lease): Promise<Assignment> {
    const { self, connection, redis } = this.#parts;
    const worker = this.#find(lease.workerId);
    const isHeld = () => {
      const lastLease = redis.leases.get(lease.sessionId);
      return lastLease !== undefined && placementKey(lastLease) === placementKey(lease);
    };
    const isReached = worker?.node === self || (await connection.send(isHeld).catch(() => false));
    if (worker?.node && isReached) {
      worker.performing.set(lease.sessionId, lease.epoch);
      return 'accepted';
    }
    await this.free(lease);
    return 'declined';
  }

  async send(workerId: string, order: Order): Promise<void> {
    const { self, connection } = this.#parts;
    const worker = this.#find(workerId);
    if (!worker?.node || (order.type !== 'end' && order.type !== 'drop')) return;
    if (worker.node !== self) await connection.send(() => {});
    drop(worker, order.placement);
  }

  async workers(): Promise<WorkerStatus[]> {
    const { connection, workers } = this.#parts;
    return connection.send(() => workers.filter(({ node }) => node !== null).map(statusOf));
  }

  async counts() {
    const empty = { workers: 0, draining: 0, slots: 0, free: 0, waiting: 0, oldestWaitMs: 0 };
    return { ...empty, leases: this.#parts.redis.leases.size };
  }

  cordon(): void {}

  #find(workerId: string): ModelWorker | undefined {
    return this.#parts.workers.find((worker) => worker.workerId === workerId);
  }

  #take({ sessionId, epoch }: Placement): Lease | null {
    const { workers, redis } = this.#parts;
    const takenOf = (workerId: string) =>
      [...redis.leases.values()].filter((lease) => lease.workerId === workerId).length;
    const free = workers
      .filter(({ node, workerId, slots }) => node !== null && takenOf(workerId) < slots)
      .toSorted((a, b) => takenOf(a.workerId) - takenOf(b.workerId))[0];
    const lease = free && { sessionId, epoch, workerId: free.workerId };
    return lease && redis.takeLease(lease) ? lease : null;
  }
}

/** Exactly this placement. */
export function drop({ performing }: ModelWorker, { sessionId, epoch }: Placement): void {
  if (performing.get(sessionId) === epoch) performing.delete(sessionId);
}

export const placementsOf = ({ performing }: ModelWorker): Placement[] =>
  [...performing].map(([sessionId, epoch]) => ({ sessionId, epoch }));

const statusOf = (worker: ModelWorker): WorkerStatus =>
  ({
    facts: { workerId: worker.workerId },
    performing: placementsOf(worker),
  }) as unknown as WorkerStatus;
