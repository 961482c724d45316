/*
 * Model-based test: two control planes on the same records and one Redis, which can be emptied.
 * Commands to Redis, messages and saves are delayed; workers crash and reconnect; control planes
 * are killed. MODEL_RUNS: number of runs. MODEL_SEED: seed, for example of a failure.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placementKey } from '#protocol/placement.ts';
import type { SessionRecord } from '../../../src/records/sessions/sessions.ts';
import { placementsOf, type ModelWorker } from '../../support/cluster/model-fleet.ts';
import { ModelNode } from '../../support/cluster/model-node.ts';
import { SimulatedRedis } from '../../support/cluster/simulated-redis.ts';
import { ACCOUNT, openRecords, request, type Store } from '../../support/fleet/control-plane.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const numRuns = Number(process.env['MODEL_RUNS'] ?? 60);
const seed = Number(process.env['MODEL_SEED'] ?? 7);

const WORKERS = 3;
const SLOTS = 4;
/** Longest time that a node is without Redis: a session without a worker waits longer. */
const OUTAGE_MS = 20_000;
/** Until a worker connects again. A crashed worker is missed first. */
const RETURN_MS = 1_000;
const RESTART_MS = 4_000;
/** A node that was away has noticed by then which sessions it has lost. */
const NOTICED_MS = 5_000;
const CALM_MS = 60_000;

const node = fc.nat(1);
const worker = fc.nat(WORKERS - 1);
const doing = <Name extends string>(name: Name) => fc.record({ do: fc.constant(name) });
const ofNode = <Name extends string>(name: Name) => fc.record({ do: fc.constant(name), node });
const ofWorker = <Name extends string>(name: Name) => fc.record({ do: fc.constant(name), worker });
const step = fc.oneof(
  { weight: 2, arbitrary: doing('empty') },
  ofNode('cut'),
  ofNode('stall'),
  { weight: 2, arbitrary: ofNode('restore') },
  ofNode('hold_saves'),
  ofNode('let_save'),
  ofNode('kill'),
  ofWorker('crash'),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), worker, node }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(100, 1_000, 3_000, 6_000),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class Scenario {
  readonly clock = new TestClock();
  readonly redis = new SimulatedRedis(this.clock);
  readonly workers: ModelWorker[] = Array.from({ length: WORKERS }, (_, index) => ({
    workerId: `worker-${index}`,
    slots: SLOTS,
    performing: new Map(),
    node: null,
  }));
  readonly nodes: ModelNode[] = [];
  readonly #store: Store;
  /** Workers by session and epoch, as first seen in the records. */
  readonly #placements = new Map<string, string | null>();
  readonly #epochs = new Map<string, number>();
  readonly #shown = new Set<string>();
  #starts = 0;

  static async open(): Promise<Scenario> {
    const scenario = new Scenario(await openRecords());
    for (const index of [0, 1]) await scenario.startNode(index);
    for (const [index, each] of scenario.workers.entries())
      scenario.nodes[index % 2]!.workerCame(each);
    // Later than a new Redis settles.
    await scenario.pass(10_000);
    for (const { creation, name } of scenario.nodes) {
      const room = { url: 'wss://rooms.example', token: name };
      await creation.open(ACCOUNT, request({ room }));
    }
    await scenario.rest();
    return scenario;
  }

  private constructor(store: Store) {
    this.#store = store;
  }

  async startNode(index: number): Promise<void> {
    const { redis, workers, clock } = this;
    const name = `node-${'ab'[index]}-${(this.#starts += 1)}`;
    const { records } = this.#store;
    const starting = ModelNode.start({ name, redis, records, workers, clock });
    this.nodes[index] = await starting;
  }

  async act(step: Step): Promise<void> {
    await this.#do(step);
    await this.rest();
    await this.check();
  }

  async #do(step: Step): Promise<void> {
    const actor = 'node' in step ? this.nodes[step.node]! : null;
    const performer = 'worker' in step ? this.workers[step.worker]! : null;
    switch (step.do) {
      case 'empty':
        return this.redis.empty();
      case 'cut':
        actor!.connection.cut();
        this.clock.after(OUTAGE_MS, () => actor!.connection.restore());
        return;
      case 'stall':
        actor!.connection.stall();
        this.clock.after(OUTAGE_MS, () => actor!.connection.restore());
        return;
      case 'restore':
        return actor!.connection.restore();
      case 'hold_saves':
        return actor!.holdSaves();
      case 'let_save':
        return actor!.letSave();
      case 'kill':
        for (const each of this.workers)
          if (each.node === actor!.name) this.#leave(each, RETURN_MS);
        actor!.kill();
        await this.rest();
        return this.startNode(step.node);
      case 'crash':
        performer!.performing.clear();
        return this.#leave(performer!, RESTART_MS);
      case 'join':
        this.#leave(performer!, RETURN_MS);
        return actor!.workerCame(performer!);
      case 'pass':
        return this.pass(step.ms);
    }
  }

  async pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= 500) {
      this.clock.advance(Math.min(leftMs, 500));
      await this.rest();
    }
  }

  /** Until nothing happens without time or another step. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) {
      await settle();
      await this.#store.atRest();
      this.#showFrames();
    }
    await settle();
  }

  /** Each connected worker reports the first frame of what it performs. */
  #showFrames(): void {
    for (const each of this.workers)
      for (const placement of placementsOf(each)) {
        const key = `${placementKey(placement)} ${each.workerId}`;
        const holder = this.#nodeOf(each);
        if (!holder || this.#shown.has(key)) continue;
        this.#shown.add(key);
        void holder.started(each, placement).then((isHeard) => isHeard || this.#shown.delete(key));
      }
  }

  /** Invariants of every moment. */
  async check(): Promise<void> {
    for (const { id, epoch, workerId } of await this.records()) {
      expect(epoch, `epoch of ${id}`).toBeGreaterThanOrEqual(this.#epochs.get(id) ?? 0);
      this.#epochs.set(id, epoch);
      const key = `${id} ${epoch}`;
      if (!this.#placements.has(key)) this.#placements.set(key, workerId);
      expect(workerId, `worker of epoch ${epoch}`).toBe(this.#placements.get(key));
      const performers = this.workers.filter(({ performing }) => performing.get(id) === epoch);
      expect(performers.length, `performers of epoch ${epoch}`).toBeLessThanOrEqual(1);
      const owners = this.nodes.filter(
        ({ connection, owned }) => connection.openForMs >= NOTICED_MS && owned.includes(id),
      );
      expect(owners.length, `owners of ${id}`).toBeLessThanOrEqual(1);
    }
  }

  /** No further faults: all have time to agree. */
  async calm(): Promise<void> {
    for (const each of this.nodes) {
      each.letSave();
      each.connection.restore();
    }
    await this.rest();
    await this.pass(CALM_MS);
    for (let round = 0; round < 4; round++) {
      for (const each of this.nodes) await each.repair();
      await this.pass(15_000);
    }
    await this.check();
  }

  async records(): Promise<SessionRecord[]> {
    return (await this.#store.records.page(ACCOUNT.id, { limit: 50 })).data;
  }

  async close(): Promise<void> {
    for (const each of this.nodes) each.kill();
    await this.rest();
    await this.#store.db.destroy();
  }

  #nodeOf(each: ModelWorker): ModelNode | undefined {
    return this.nodes.find(({ name }) => name === each.node);
  }

  /** Its socket breaks. It performs on, and connects again, perhaps elsewhere. */
  #leave(each: ModelWorker, awayMs: number): void {
    this.#nodeOf(each)?.workerWent(each);
    this.clock.after(awayMs, () => {
      const index = this.workers.indexOf(each);
      if (each.node === null) this.nodes[index % 2]!.workerCame(each);
    });
  }
}

const later = (ms: 100 | 1_000 | 3_000 | 6_000): Step => ({ do: 'pass', ms });

/** A save arrives after the takeover by a control plane that chose another worker. */
const sameEpoch: Step[] = [
  { do: 'hold_saves', node: 0 },
  { do: 'crash', worker: 0 },
  later(3_000),
  later(100),
  { do: 'stall', node: 0 },
  later(6_000),
  later(6_000),
  later(3_000),
  { do: 'let_save', node: 0 },
  later(100),
];
/** A worker claims its session elsewhere before the owner does. */
const claimedElsewhere: Step[] = [
  { do: 'empty' },
  { do: 'join', worker: 0, node: 1 },
  later(100),
  later(3_000),
];
/** An owner was away while another one placed its session. */
const placedMeanwhile: Step[] = [
  { do: 'stall', node: 0 },
  later(3_000),
  { do: 'kill', node: 1 },
  later(6_000),
  later(3_000),
  { do: 'stall', node: 1 },
  later(3_000),
  later(3_000),
  { do: 'empty' },
  later(6_000),
  { do: 'join', worker: 0, node: 0 },
  later(1_000),
  { do: 'kill', node: 0 },
  { do: 'cut', node: 1 },
  { do: 'cut', node: 0 },
  later(6_000),
];
/** A heartbeat that was answered too late has listed its node again. */
const lateHeartbeat: Step[] = [
  { do: 'empty' },
  later(3_000),
  { do: 'stall', node: 0 },
  later(6_000),
];

async function judge(steps: readonly Step[]): Promise<void> {
  const scenario = await Scenario.open();
  for (const each of steps) await scenario.act(each);

  await scenario.calm();

  const live = await scenario.records();
  expect(live.map(({ status, endReason }) => endReason ?? status)).toEqual(['ongoing', 'ongoing']);
  const placed = live.map(({ id, epoch, workerId }) => `${id} ${epoch} ${workerId}`);
  const performed = scenario.workers.flatMap((each) =>
    placementsOf(each).map(({ sessionId, epoch }) => `${sessionId} ${epoch} ${each.workerId}`),
  );
  expect(performed.toSorted()).toEqual(placed.toSorted());
  const owned = scenario.nodes.flatMap((each) => each.owned);
  expect(owned.toSorted()).toEqual(live.map(({ id }) => id).toSorted());
  await scenario.close();
}

describe('two control planes whose Redis is emptied', () => {
  test('perform each session once, by the placement of the records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), judge),
      {
        numRuns,
        seed,
        examples: [[sameEpoch], [claimedElsewhere], [placedMeanwhile], [lateHeartbeat]],
      },
    );
  });
});
