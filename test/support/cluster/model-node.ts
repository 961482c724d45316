import type { Placement } from '#protocol/placement.ts';
import type { Clock } from '#shared/clock.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { RedisClusterBus } from '../../../src/cluster/redis-cluster-bus.ts';
import { RedisSessionOwnership } from '../../../src/cluster/redis-session-ownership.ts';
import type { SessionRecords } from '../../../src/records/sessions/sessions.ts';
import type { SessionNotices, SessionRequests } from '../../../src/sessions/cluster/messages.ts';
import { shareSessions } from '../../../src/sessions/cluster/share-sessions.ts';
import { Reconciler } from '../../../src/sessions/reconciliation/reconciler.ts';
import type { SessionEventMap } from '../../../src/sessions/session-events.ts';
import { FakeBotrooms } from '../fleet/fake-botrooms.ts';
import { FakeRooms } from '../fleet/fake-rooms.ts';
import { openTestSessions, quietLog as log } from '../fleet/control-plane.ts';
import { drop, ModelFleet, placementsOf, type ModelWorker } from './model-fleet.ts';
import type { SimulatedConnection, SimulatedRedis } from './simulated-redis.ts';

/** As the gateway waits for a worker whose connection broke. */
const RETURN_MS = 3_000;

type ModelNodeParts = {
  name: string;
  redis: SimulatedRedis;
  records: SessionRecords;
  workers: readonly ModelWorker[];
  clock: Clock;
};

/** One control plane of a model: real sessions, bus and ownership; no sockets. */
export class ModelNode {
  readonly name: string;
  readonly connection: SimulatedConnection;
  readonly #parts: ModelNodeParts;
  readonly #life: Life;
  #sessions!: ReturnType<typeof openTestSessions>;
  #shared!: ReturnType<typeof shareSessions>;
  #reconciler!: Reconciler;

  static async start(parts: ModelNodeParts): Promise<ModelNode> {
    const node = new ModelNode(parts);
    await node.#open();
    return node;
  }

  private constructor(parts: ModelNodeParts) {
    this.#life = new Life(parts.clock, parts.records);
    this.name = parts.name;
    this.#parts = { ...parts, clock: this.#life.clock };
    this.connection = parts.redis.connect(this.#life.clock);
  }

  get creation() {
    return this.#sessions.creation;
  }

  /** The sessions that it takes for its own. */
  get owned(): string[] {
    return this.#sessions.live.places().map(({ id }) => id);
  }

  /** Its saves of placements wait until `letSave`. */
  holdSaves(): void {
    this.#life.holdSaves();
  }

  letSave(): void {
    this.#life.letSave();
  }

  /** As the gateway when a worker registers. */
  workerCame(worker: ModelWorker): void {
    worker.node = this.name;
    this.#shared.reports.workerCame(worker.workerId, placementsOf(worker));
    for (const placement of placementsOf(worker)) void this.#claim(worker, placement);
  }

  /** As the gateway when its socket broke. */
  workerWent(worker: ModelWorker): void {
    worker.node = null;
    this.#parts.clock.after(RETURN_MS, () => {
      if (worker.node === null) this.#shared.reports.workerLost(worker.workerId);
    });
  }

  /** False: the report was not recorded, and the worker repeats it. */
  started(worker: ModelWorker, { sessionId, epoch }: Placement): Promise<boolean> {
    const placement = { sessionId, epoch, workerId: worker.workerId };
    const report = { type: 'started', agoMs: 0 } as const;
    return this.#shared.reports.handle(placement, report).then(
      (verdict) => {
        if (verdict === 'stale') drop(worker, placement);
        return true;
      },
      () => false,
    );
  }

  async repair(): Promise<void> {
    await this.#reconciler.repair().catch(() => {});
  }

  /** `kill -9`. */
  kill(): void {
    this.#life.end();
    this.connection.cut();
    this.#parts.redis.disconnect(this.connection);
    for (const worker of this.#parts.workers) if (worker.node === this.name) worker.node = null;
  }

  async #open(): Promise<void> {
    const { name: self, workers, redis: simulated, clock } = this.#parts;
    const { records } = this.#life;
    const redis = this.connection.asConnection;
    const bus = await RedisClusterBus.open<SessionRequests, SessionNotices>({
      redis,
      clock,
      log,
      self,
    });
    const ownership = new RedisSessionOwnership({ redis, bus, clock, log });
    const fleet = new ModelFleet({
      self,
      redis: simulated,
      connection: this.connection,
      workers,
      clock,
    });
    const publishLeases = () => void fleet.nodeLeases.publish().catch(() => {});
    bus.onForgotten(publishLeases);
    redis.onBack(publishLeases);
    ownership.onTakenOver((sessionId) => fleet.nodeLeases.disown(sessionId));
    const events = new TypedEvents<SessionEventMap>((error) => {
      throw error;
    });
    const rooms = new FakeRooms(self);
    const botrooms = new FakeBotrooms();
    const shared = { records, fleet, ownership, events, clock, log };
    this.#sessions = openTestSessions({ ...shared, rooms, botrooms });
    this.#shared = shareSessions({ ...shared, bus, own: this.#sessions });
    const { live, recovery } = this.#sessions;
    const { places } = this.#shared;
    this.#reconciler = new Reconciler({ ...shared, live, recovery, places, rooms });
    this.#reconciler.start();
    redis.onBack(() => this.#reconciler.runSoon());
    await recovery.recover();
  }

  async #claim(worker: ModelWorker, placement: Placement): Promise<void> {
    const { workerId } = worker;
    const report = { type: 'claimed', workerId } as const;
    const verdict = await this.#shared.reports.handle(placement, report).catch(() => null);
    if (verdict === 'stale') drop(worker, placement);
  }
}

/** Timers and saves of one process: none runs after its end. */
class Life {
  readonly clock: Clock;
  readonly records: SessionRecords;
  #isOver = false;
  #isHolding = false;
  #held: (() => void)[] = [];

  constructor(clock: Clock, records: SessionRecords) {
    const whileAlive = (run: () => void) => () => {
      if (!this.#isOver) run();
    };
    this.clock = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      after: (ms, run) => clock.after(ms, whileAlive(run)),
      every: (ms, run) => clock.every(ms, whileAlive(run)),
    };
    this.records = {
      ...records,
      updatePlacement: async (id, placement) => {
        if (this.#isHolding) await new Promise<void>((resolve) => this.#held.push(resolve));
        return records.updatePlacement(id, placement);
      },
    };
  }

  holdSaves(): void {
    this.#isHolding = true;
  }

  letSave(): void {
    this.#isHolding = false;
    for (const resume of this.#held.splice(0)) resume();
  }

  end(): void {
    this.#isOver = true;
    this.#held = [];
  }
}
