/* redis-fleet.lua, as functions: what its verbs take and answer. Each rejects while Redis is away. */
import type {
  FleetCounts,
  Lease,
  Placement,
  Refusal,
  SlotCounts,
  Requirements,
  WorkerKind,
  WorkerStatus,
} from '../fleet.ts';
import type { Member } from '../connected-workers.ts';
import { kindOf, kindsOf, NOBODY, stateOf, type Policy } from '../placement.ts';
import type { RedisConnection } from '../../cluster/redis-connection.ts';
import { countsOf, sumOf } from '../slot-counts.ts';
import type { Line } from './published-queue.ts';

export type RedisSlotsOptions = {
  redis: RedisConnection;
  prefix: string;
  policy: Policy;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** What is told of a worker that is connected: whether it drains, is late, rests; its load and what it performs. */
export type Report = [...bits: string[], said: string];

export const reportOf = ({ isDraining, isLate, isResting, load, performing }: Member): Report => [
  ...[isDraining, isLate, isResting].map((is) => (is ? '1' : '0')),
  JSON.stringify({ load, performing }),
];

export class RedisSlots {
  readonly #options: RedisSlotsOptions;

  constructor(options: RedisSlotsOptions) {
    this.#options = options;
  }

  /** `connection` names the worker's socket, `node` the control plane that holds it. */
  async join(
    { worker: { facts }, since }: Member,
    connection: string,
    node: string,
  ): Promise<void> {
    const { workerId, slots, kind, pool } = facts;
    const texts = [JSON.stringify(kindsOf(facts)), JSON.stringify(facts)];
    await this.#run('join', workerId, connection, node, slots, ...texts, since, kind, pool);
  }

  async leave(workerId: string, connection: string): Promise<void> {
    await this.#run('leave', workerId, connection);
  }

  async say(workerId: string, connection: string, report: Report): Promise<void> {
    await this.#run('state', workerId, connection, ...report);
  }

  async reserve({ sessionId, epoch }: Placement, kind: string): Promise<Lease | null> {
    const workerId = await this.#run('reserve', sessionId, epoch, kind);
    return workerId === null ? null : { sessionId, epoch, workerId: workerId as string };
  }

  /** False when a newer lease of the session exists. */
  async hold({ sessionId, epoch, workerId }: Lease): Promise<boolean> {
    return (await this.#run('hold', sessionId, epoch, workerId)) === 1;
  }

  async free({ sessionId, epoch }: Placement): Promise<void> {
    await this.#run('free', sessionId, epoch);
  }

  async why(requirements: Requirements): Promise<Refusal> {
    const why = (await this.#run('why', kindOf(requirements))) as 'nobody' | 'draining' | 'full';
    return why === 'nobody' ? NOBODY[requirements.kind] : why;
  }

  async tellQueue(
    node: string,
    { kind, pool }: Line,
    waiting: number,
    since: number,
  ): Promise<void> {
    await this.#run('queue', node, kind, pool, waiting, since);
  }

  async counts(kind: WorkerKind): Promise<FleetCounts> {
    const { byPool, leases } = await this.countsByPool(kind);
    return { ...sumOf(byPool.values()), leases };
  }

  async countsByPool(
    kind: WorkerKind,
  ): Promise<{ byPool: Map<string, SlotCounts>; leases: number }> {
    const [totals, leases, queues] = (await this.#run('counts', kind)) as [
      [pool: string, ...string[]][],
      number,
      [pool: string, ...string[]][],
    ];
    const byPool = new Map<string, SlotCounts>();
    for (const [pool, ...texts] of totals) {
      const [workers = 0, draining = 0, slots = 0, free = 0] = texts.map(Number);
      Object.assign(countsOf(byPool, pool), { workers, draining, slots, free });
    }
    const now = this.#options.now();
    for (const [pool, ...texts] of queues) {
      const [waiting = 0, since = now] = texts.map(Number);
      const counts = countsOf(byPool, pool);
      counts.waiting += waiting;
      counts.oldestWaitMs = Math.max(counts.oldestWaitMs, now - since);
    }
    return { byPool, leases };
  }

  /** In pages: Redis, and whoever reads it, has others to serve in between. A page may repeat what stood on another one. */
  async workers(): Promise<WorkerStatus[]> {
    const all = new Map<string, WorkerStatus>();
    for await (const page of this.#pages<StatusTexts>('workers'))
      for (const status of page.map(readStatus)) all.set(status.facts.workerId, status);
    return [...all.values()];
  }

  /** In pages, as `workers`. */
  async leases(): Promise<Lease[]> {
    const all = new Map<string, Lease>();
    for await (const page of this.#pages<string>('leases'))
      for (let i = 0; i + 1 < page.length; i += 2) {
        const [, epoch, workerId] = /^(\d+) (.*)$/.exec(page[i + 1]!)!;
        all.set(page[i]!, { sessionId: page[i]!, epoch: Number(epoch), workerId: workerId! });
      }
    return [...all.values()];
  }

  /** Which control plane holds the worker's socket. */
  async nodeOf(workerId: string): Promise<string | null> {
    return (await this.#run('node_of', workerId)) as string | null;
  }

  /** Its sockets are gone, and so are those who waited at it. */
  async forgetNode(node: string): Promise<void> {
    await this.#run('node_gone', node);
  }

  async *#pages<Item>(verb: 'workers' | 'leases'): AsyncGenerator<Item[]> {
    let cursor = '0';
    do {
      const [next, page] = (await this.#run(verb, cursor)) as [string, Item[]];
      yield page;
      cursor = next;
    } while (cursor !== '0');
  }

  #run(verb: string, ...values: (string | number)[]): Promise<unknown> {
    const { redis, prefix, policy } = this.#options;
    return redis.fleet(prefix, verb, policy, ...values);
  }
}

type StatusTexts = [
  facts: string,
  since: string,
  said: string,
  draining: string,
  late: string,
  resting: string,
  taken: number,
];

const readStatus = ([
  facts,
  since,
  said,
  draining,
  late,
  resting,
  taken,
]: StatusTexts): WorkerStatus => ({
  facts: JSON.parse(facts) as WorkerStatus['facts'],
  since: Number(since),
  ...(JSON.parse(said) as Pick<WorkerStatus, 'load' | 'performing'>),
  taken,
  state: stateOf({
    isDraining: draining === '1',
    isLate: late === '1',
    isResting: resting === '1',
  }),
});
