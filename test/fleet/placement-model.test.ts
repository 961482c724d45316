/*
 * Model-based test: random commands run on a fleet and on a plain list of workers and leases, which
 * must agree after each step. MODEL_RUNS: number of runs. MODEL_SEED: seed, for example of a
 * failure.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TypedEvents } from '#shared/typed-events.ts';
import type {
  ConnectedWorker,
  Fleet,
  FleetEventMap,
  Lease,
  Requirements,
  WorkerFacts,
} from '../../src/fleet/fleet.ts';
import { LocalFleet } from '../../src/fleet/local/local-fleet.ts';
import { DEFAULT_RULES, type Policy } from '../../src/fleet/placement.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { FakeConnection } from '../support/fleet/fake-connection.ts';
import { TestClock } from '../support/test-clock.ts';

const numRuns = Number(process.env['MODEL_RUNS'] ?? 300);
const seed = Number(process.env['MODEL_SEED'] ?? 7);

const WORKERS = 4;
const SESSIONS = 12;
const ACCOUNTS = 3;
const WAIT_MS = 2_000;
const MAX_WAITING = 5;
const POOLS = ['default', 'gpu'] as const;

type Worker = {
  facts: WorkerFacts;
  connection: ConnectedWorker;
  isDraining: boolean;
  isOverloaded: boolean;
};
type Waiter = { sessionId: string; requirements: Requirements; isUrgent: boolean; askedAt: number };

/** The expected state. */
type Model = {
  /** Connected workers. */
  workers: Map<string, Worker>;
  leases: Map<string, Lease>;
  waiting: Set<Waiter>;
  /** Highest epoch of each session so far. */
  epochs: Map<string, number>;
  pools: Map<string, string>;
  /** Also of workers that are away. */
  cordoned: Set<string>;
};

type Real = { fleet: Fleet; clock: TestClock };

function begin(policy: Policy): { model: Model; real: Real } {
  const clock = new TestClock();
  const events = new TypedEvents<FleetEventMap>((error) => {
    throw error;
  });
  const rules = { ...DEFAULT_RULES, policy, maxWaiting: MAX_WAITING };
  const options = { clock, log: quietLog, events, rules };
  const model = { workers: new Map(), leases: new Map(), waiting: new Set<Waiter>() };
  return {
    model: { ...model, epochs: new Map(), pools: new Map(), cordoned: new Set() },
    real: { clock, fleet: new LocalFleet(options) },
  };
}

const takenOf = ({ leases }: Model, workerId: string): number =>
  [...leases.values()].filter((lease) => lease.workerId === workerId).length;

const fits = (
  model: Model,
  { facts, isDraining, isOverloaded }: Worker,
  requirements: Requirements,
): boolean =>
  !isDraining &&
  !isOverloaded &&
  !model.cordoned.has(facts.workerId) &&
  facts.pool === requirements.pool &&
  takenOf(model, facts.workerId) < facts.slots;

const hasRoomFor = (model: Model, requirements: Requirements): boolean =>
  [...model.workers.values()].some((worker) => fits(model, worker, requirements));

/** Requests a slot and records the result in the model when it arrives. */
function ask(model: Model, { fleet, clock }: Real, session: number, isUrgent: boolean): void {
  const sessionId = `session-${session}`;
  const epoch = (model.epochs.get(sessionId) ?? 0) + 1;
  model.epochs.set(sessionId, epoch);
  const pool = POOLS[session % 4 === 0 ? 1 : 0];
  const requirements: Requirements = {
    kind: 'avatar',
    transport: 'mediaserver',
    avatarId: 'mira',
    bundleHash: null,
    hasSpeechSource: false,
    needsFrames: false,
    pool,
  };
  const waiter: Waiter = { sessionId, requirements, isUrgent, askedAt: clock.elapsed() };
  const isQueueFull = model.waiting.size >= MAX_WAITING;
  const mayWait = isUrgent || [...model.workers.values()].some(({ facts }) => facts.pool === pool);
  model.waiting.add(waiter);
  const account = `account-${session % ACCOUNTS}`;
  const answer = (lease: Lease | null) => {
    model.waiting.delete(waiter);
    if (lease === null) {
      const isOver = clock.elapsed() - waiter.askedAt >= WAIT_MS;
      const isRefused = !isUrgent && (isQueueFull || !mayWait);
      expect(isOver || isRefused, `${sessionId} was sent away for nothing`).toBe(true);
      return;
    }
    const worker = model.workers.get(lease.workerId);
    expect(lease).toMatchObject({ sessionId, epoch });
    expect(worker && fits(model, worker, requirements), `${lease.workerId} had no slot`).toBe(true);
    if (!isUrgent) {
      const urgentWaiters = [...model.waiting].filter(
        (waiter) => waiter.isUrgent && waiter.requirements.pool === pool,
      );
      expect(urgentWaiters, 'an urgent one was passed over').toEqual([]);
    }
    model.leases.set(sessionId, lease);
  };
  pending.push(
    fleet
      .reserve({ sessionId, epoch }, requirements, { waitMs: WAIT_MS, account, isUrgent })
      .then(answer),
  );
}

/** Requests of this run. */
let pending: Promise<void>[] = [];

const isIdle = (model: Model, session: number): boolean =>
  !model.leases.has(`session-${session}`) &&
  ![...model.waiting].some(({ sessionId }) => sessionId === `session-${session}`);

const nameOf = (worker: number): string => `worker-${worker}`;

type Step = (model: Model, real: Real) => Promise<void>;

class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #may: (model: Model) => boolean;
  readonly #step: Step;

  constructor(name: string, may: (model: Model) => boolean, step: Step) {
    this.#name = name;
    this.#may = may;
    this.#step = step;
  }

  check(model: Readonly<Model>): boolean {
    return this.#may(model);
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#step(model, real);
    await answered();
    await agree(model, real);
  }

  toString(): string {
    return this.#name;
  }
}

/** All promises settle within a few turns of the event loop. */
async function answered(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

const bySession = (a: Lease, b: Lease) => (a.sessionId < b.sessionId ? -1 : 1);

async function agree(model: Model, { fleet }: Real): Promise<void> {
  const leases = await fleet.leases();
  expect(leases.toSorted(bySession)).toEqual([...model.leases.values()].toSorted(bySession));
  expect(new Set(leases.map(({ sessionId }) => sessionId)).size).toBe(leases.length);

  for (const { facts, taken } of await fleet.workers()) {
    expect(taken, `${facts.workerId} is over its slots`).toBeLessThanOrEqual(facts.slots);
    expect(taken).toBe(takenOf(model, facts.workerId));
  }
  const forgotten = [...model.waiting].filter(({ requirements }) =>
    hasRoomFor(model, requirements),
  );
  expect(forgotten, 'somebody waits beside a slot').toEqual([]);
  expect(await fleet.counts()).toMatchObject({ waiting: model.waiting.size });
}

const report = ({ fleet }: Real, workerId: string, lateFrames: number, draining: boolean) =>
  fleet.report(workerId, { performing: 0, lateFrames, draining });

const join = (worker: number) =>
  new Command(
    `join ${nameOf(worker)}`,
    ({ workers }) => !workers.has(nameOf(worker)),
    async (model, { fleet }) => {
      // A worker with leases returns with the same number of slots.
      const pool = POOLS[worker === 0 ? 1 : 0];
      const connection = new FakeConnection(nameOf(worker), 1 + (worker % 3), pool);
      const { facts } = connection;
      model.workers.set(facts.workerId, {
        facts,
        connection,
        isDraining: false,
        isOverloaded: false,
      });
      await fleet.join(connection);
    },
  );

const leave = (worker: number) =>
  new Command(
    `leave ${nameOf(worker)}`,
    ({ workers }) => workers.has(nameOf(worker)),
    async ({ workers }, { fleet }) => {
      const { connection } = workers.get(nameOf(worker))!;
      workers.delete(nameOf(worker));
      await fleet.leave(connection);
    },
  );

/** The worker did not return in time: its sessions look for other slots. */
const lose = (worker: number) =>
  new Command(
    `lose ${nameOf(worker)}`,
    (model) => !model.workers.has(nameOf(worker)) && takenOf(model, nameOf(worker)) > 0,
    async (model, real) => {
      const leases = [...model.leases.values()];
      for (const lease of leases.filter(({ workerId }) => workerId === nameOf(worker))) {
        model.leases.delete(lease.sessionId);
        await real.fleet.free(lease);
        ask(model, real, Number(lease.sessionId.split('-')[1]), true);
      }
    },
  );

const reserve = (session: number) =>
  new Command(
    `reserve session-${session}`,
    (model) => isIdle(model, session),
    async (model, real) => ask(model, real, session, false),
  );

const free = (session: number) =>
  new Command(
    `free session-${session}`,
    ({ leases }) => leases.has(`session-${session}`),
    async ({ leases }, { fleet }) => {
      const lease = leases.get(`session-${session}`)!;
      leases.delete(lease.sessionId);
      await fleet.free(lease);
    },
  );

/** Late messages of older epochs and repeated reports change nothing. */
const hearAgain = (session: number) =>
  new Command(
    `hear again of session-${session}`,
    ({ leases }) => leases.has(`session-${session}`),
    async ({ leases }, { fleet }) => {
      const lease = leases.get(`session-${session}`)!;
      await fleet.free({ ...lease, epoch: lease.epoch - 1 });
      await fleet.hold({ ...lease });
    },
  );

const drain = (worker: number) =>
  new Command(
    `drain ${nameOf(worker)}`,
    ({ workers }) => workers.has(nameOf(worker)),
    async ({ workers }, { fleet }) => {
      workers.get(nameOf(worker))!.isDraining = true;
      await fleet.drain(nameOf(worker));
    },
  );

const cordon = (worker: number, isCordoned: boolean) =>
  new Command(
    `${isCordoned ? 'cordon' : 'resume'} ${nameOf(worker)}`,
    () => true,
    async ({ cordoned }, { fleet }) => {
      if (isCordoned) cordoned.add(nameOf(worker));
      else cordoned.delete(nameOf(worker));
      fleet.cordon(new Set(cordoned));
    },
  );

const late = (worker: number, isOverloaded: boolean) =>
  new Command(
    `${nameOf(worker)} ${isOverloaded ? 'runs late' : 'keeps time'}`,
    ({ workers }) => workers.has(nameOf(worker)),
    async (model, real) => {
      const modelWorker = model.workers.get(nameOf(worker))!;
      const share = isOverloaded ? 0.5 : 0;
      report(real, nameOf(worker), share, modelWorker.isDraining);
      real.clock.advance(10_000);
      await answered();
      modelWorker.isOverloaded = isOverloaded;
      report(real, nameOf(worker), share, modelWorker.isDraining);
    },
  );

const pass = (ms: number) =>
  new Command(
    `${ms} ms pass`,
    () => true,
    async (_model, { clock }) => clock.advance(ms),
  );

const worker = fc.nat(WORKERS - 1);
const session = fc.nat(SESSIONS - 1);
const commands = fc.commands(
  [
    worker.map(join),
    worker.map(leave),
    worker.map(lose),
    session.map(reserve),
    session.map(reserve),
    session.map(reserve),
    session.map(free),
    session.map(hearAgain),
    worker.map(drain),
    fc.tuple(worker, fc.boolean()).map(([of, isCordoned]) => cordon(of, isCordoned)),
    fc.tuple(worker, fc.boolean()).map(([of, isOverloaded]) => late(of, isOverloaded)),
    fc.integer({ min: 1, max: 3_000 }).map(pass),
  ],
  { maxCommands: 60, size: 'max' },
);

describe('placement model', () => {
  test.each(['spread', 'pack'] as const)(
    'gives no slot twice and forgets nobody: %s',
    async (policy) => {
      await fc.assert(
        fc.asyncProperty(commands, async (steps) => {
          pending = [];
          const { model, real } = begin(policy);
          // Past the grace period, so that it is certain which requests may wait.
          real.clock.advance(60_000);
          await fc.asyncModelRun(() => ({ model, real }), steps);
          await real.fleet.close();
          model.waiting.forEach((waiter) => (waiter.askedAt = -WAIT_MS));
          await Promise.all(pending);
          expect(real.clock.waiting).toBe(0);
        }),
        { numRuns, seed },
      );
    },
  );
});
