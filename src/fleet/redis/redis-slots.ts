/* The commands of redis-fleet.lua as functions. All reject while Redis is unreachable. */
import { readFileSync } from 'node:fs';
import type {
  Lease,
  Placement,
  Refusal,
  SlotCounts,
  Requirements,
  WorkerKind,
  WorkerStatus,
} from '../fleet.ts';
import type { WorkerEntry } from '../connected-workers.ts';
import { kindOf, kindsOf, NOBODY, stateOf, type Policy } from '../placement.ts';
import type { RedisConnection, RedisScript } from '../../cluster/redis-connection.ts';
import { countsOf } from '../slot-counts.ts';
import type { QueueName } from './published-queue.ts';

const lua = readFileSync(new URL('redis-fleet.lua', import.meta.url), 'utf8');

type RedisSlotsOptions = {
  redis: RedisConnection;
  prefix: string;
  policy: Policy;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/**
 * A worker's changing state: '0' or '1' for draining, overloaded and not offered; the rest as JSON.
 * A cordoned worker is not offered, also by a control plane of a version that knows no cordons.
 */
export type Report = [...flags: string[], load: string];

export const reportOf = ({
  isDraining,
  isCordoned,
  isOverloaded,
  isCoolingDown,
  load,
  performing,
}: WorkerEntry): Report => [
  ...[isDraining, isOverloaded, isCoolingDown || isCordoned].map((is) => (is ? '1' : '0')),
  JSON.stringify({ load, performing, isCordoned }),
];

export class RedisSlots {
  readonly #options: RedisSlotsOptions;
  readonly #script: RedisScript;

  constructor(options: RedisSlotsOptions) {
    this.#options = options;
    this.#script = options.redis.script('fleet', lua);
  }

  /** `connection` identifies the worker's socket, `node` the control plane that holds it. */
  async join(
    { worker: { facts }, since }: WorkerEntry,
    connection: string,
    node: string,
    report: Report,
  ): Promise<void> {
    const { workerId, slots, kind, pool } = facts;
    const texts = [JSON.stringify(kindsOf(facts)), JSON.stringify(facts)];
    const named = [since, kind, pool];
    await this.#run('join', workerId, connection, node, slots, ...texts, ...named, ...report);
  }

  async leave(workerId: string, connection: string): Promise<void> {
    await this.#run('leave', workerId, connection);
  }

  async report(workerId: string, connection: string, report: Report): Promise<void> {
    await this.#run('state', workerId, connection, ...report);
  }

  async reserve({ sessionId, epoch }: Placement, kind: string): Promise<Lease | null> {
    const workerId = await this.#run('reserve', sessionId, epoch, kind);
    return workerId === null ? null : { sessionId, epoch, workerId: workerId as string };
  }

  /** False: the session has a newer lease. */
  async hold({ sessionId, epoch, workerId }: Lease): Promise<boolean> {
    return (await this.#run('hold', sessionId, epoch, workerId)) === 1;
  }

  /** Whether it is the newest lease of its session. */
  async isHeld({ sessionId, epoch, workerId }: Lease): Promise<boolean> {
    return (await this.#run('holds', sessionId, epoch, workerId)) === 1;
  }

  async free({ sessionId, epoch }: Placement): Promise<void> {
    await this.#run('free', sessionId, epoch);
  }

  async refusal(requirements: Requirements): Promise<Refusal> {
    const why = (await this.#run('why', kindOf(requirements))) as 'nobody' | 'draining' | 'full';
    return why === 'nobody' ? NOBODY[requirements.kind] : why;
  }

  /** `since`: start of the longest wait, in milliseconds since the epoch. */
  async publishQueue(
    node: string,
    { kind, pool }: QueueName,
    waiting: number,
    since: number,
  ): Promise<void> {
    await this.#run('queue', node, kind, pool, waiting, since);
  }

  async counts(kind: WorkerKind): Promise<{ byPool: Map<string, SlotCounts>; leases: number }> {
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

  /** Reads in pages, so that neither Redis nor this process blocks. Pages may overlap. */
  async workers(): Promise<WorkerStatus[]> {
    const statuses = new Map<string, WorkerStatus>();
    for await (const page of this.#pages<StatusTexts>('workers'))
      for (const status of page.map(readStatus)) statuses.set(status.facts.workerId, status);
    return [...statuses.values()];
  }

  /** Reads in pages, like `workers`. */
  async leases(): Promise<Lease[]> {
    const leases = new Map<string, Lease>();
    for await (const page of this.#pages<string>('leases'))
      for (let i = 0; i + 1 < page.length; i += 2) {
        const [, epoch, workerId] = /^(\d+) (.*)$/.exec(page[i + 1]!)!;
        leases.set(page[i]!, { sessionId: page[i]!, epoch: Number(epoch), workerId: workerId! });
      }
    return [...leases.values()];
  }

  /** The node that holds the worker's socket. */
  async nodeOf(workerId: string): Promise<string | null> {
    return (await this.#run('node_of', workerId)) as string | null;
  }

  /** Removes the node's workers and queues. */
  async forgetNode(node: string): Promise<void> {
    await this.#run('node_gone', node);
  }

  async *#pages<Item>(command: 'workers' | 'leases'): AsyncGenerator<Item[]> {
    let cursor = '0';
    do {
      const [nextCursor, page] = (await this.#run(command, cursor)) as [string, Item[]];
      yield page;
      cursor = nextCursor;
    } while (cursor !== '0');
  }

  #run(command: string, ...values: (string | number)[]): Promise<unknown> {
    const { prefix, policy } = this.#options;
    return this.#script(prefix, command, policy, ...values);
  }
}

/** As redis-fleet.lua returns it. */
type StatusTexts = [
  facts: string,
  since: string,
  load: string,
  draining: string,
  late: string,
  resting: string,
  taken: number,
];

const readStatus = ([
  facts,
  since,
  load,
  draining,
  late,
  resting,
  taken,
]: StatusTexts): WorkerStatus => {
  // Absent from older versions.
  const { isCordoned = false, ...nodeReport } = JSON.parse(load) as SaidByNode;
  return {
    facts: JSON.parse(facts) as WorkerStatus['facts'],
    since: Number(since),
    ...nodeReport,
    taken,
    isCordoned,
    state: stateOf({
      isDraining: draining === '1',
      isCordoned,
      isOverloaded: late === '1',
      isCoolingDown: resting === '1',
    }),
  };
};

type SaidByNode = Pick<WorkerStatus, 'load' | 'performing'> & { isCordoned?: boolean };
