/* The fleet of one control plane, in memory. Every change happens in one go, without an await: two callers cannot get the same slot. */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import type {
  Assignment,
  ConnectedWorker,
  Fleet,
  FleetCounts,
  Job,
  Lease,
  ReserveOptions,
  Wanted,
  WorkerLoad,
} from './fleet.ts';
import { choose, freeSlots, isOffering, type WorkerSnapshot } from './placement.ts';
import { SlotQueue } from './queue.ts';

type Member = { worker: ConnectedWorker; load: WorkerLoad; stopResting: (() => void) | null };
type Request = { placement: Placement; wanted: Wanted };

export type LocalFleetOptions = {
  clock: Clock;
  log: Log;
  /** How long a worker that declined a session is offered none: it knows something about itself that we do not. */
  restMs?: number;
};

export class LocalFleet implements Fleet {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #restMs: number;
  readonly #members = new Map<string, Member>();
  /** By session: the newest lease of each. */
  readonly #leases = new Map<string, Lease>();
  /** By worker, also one that is not connected: how many leases it has. */
  readonly #taken = new Map<string, number>();
  readonly #queue: SlotQueue<Request, Lease>;

  constructor({ clock, log, restMs = 1_000 }: LocalFleetOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#restMs = restMs;
    this.#queue = new SlotQueue(clock, (request) => this.#grant(request));
  }

  async join(worker: ConnectedWorker): Promise<void> {
    this.#forget(worker.facts.workerId);
    const load = { performing: 0, lateFrames: 0, draining: false };
    this.#members.set(worker.facts.workerId, { worker, load, stopResting: null });
    this.#queue.serve();
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    const { workerId } = worker.facts;
    if (this.#members.get(workerId)?.worker === worker) this.#forget(workerId);
  }

  report(workerId: string, load: WorkerLoad): void {
    const member = this.#members.get(workerId);
    if (!member) return;
    const { performing, lateFrames, draining } = load;
    member.load = { performing, lateFrames, draining };
    this.#queue.serve();
  }

  reserve(placement: Placement, wanted: Wanted, options: ReserveOptions): Promise<Lease | null> {
    return this.#queue.wait({ placement, wanted }, options);
  }

  async hold(lease: Lease): Promise<void> {
    this.#take(lease);
  }

  async free(lease: Lease): Promise<void> {
    const newest = this.#leases.get(lease.sessionId);
    if (newest?.epoch !== lease.epoch) return;
    this.#release(newest);
    this.#queue.serve();
  }

  async assign(lease: Lease, job: Job): Promise<Assignment> {
    const { workerId, sessionId, epoch } = lease;
    const member = this.#members.get(workerId);
    if (!member) {
      // Nothing was sent: nobody performs it.
      await this.free(lease);
      return 'declined';
    }
    const answer = await member.worker.assign({ sessionId, epoch }, job);
    if (answer === 'accepted' || answer === 'gone') return answer;
    this.#log.warn({ ...lease, answer }, 'worker declined a session');
    // Resting comes first: freeing the slot must not offer it to the same session at once.
    this.#rest(member);
    await this.free(lease);
    return 'declined';
  }

  async end({ workerId, sessionId, epoch }: Lease, reason: EndReason): Promise<void> {
    this.#members.get(workerId)?.worker.end({ sessionId, epoch }, reason);
  }

  async drain(workerId: string): Promise<boolean> {
    const member = this.#members.get(workerId);
    member?.worker.drain();
    return member !== undefined;
  }

  async counts(): Promise<FleetCounts> {
    const workers = [...this.#members.values()].map((member) => this.#snapshot(member));
    return {
      workers: workers.length,
      draining: workers.filter(({ load }) => load.draining).length,
      slots: sum(workers.map(({ facts }) => facts.slots)),
      free: sum(workers.filter(isOffering).map(freeSlots)),
      leases: this.#leases.size,
      waiting: this.#queue.length,
    };
  }

  async close(): Promise<void> {
    this.#queue.close();
    for (const workerId of this.#members.keys()) this.#forget(workerId);
  }

  #grant({ placement, wanted }: Request): Lease | null {
    const members = [...this.#members.values()];
    const workerId = choose(
      members.map((member) => this.#snapshot(member)),
      wanted,
    );
    if (workerId === null) return null;
    const lease = { ...placement, workerId };
    this.#take(lease);
    return lease;
  }

  #take(lease: Lease): void {
    const older = this.#leases.get(lease.sessionId);
    if (older && older.epoch > lease.epoch) throw new Error('a newer lease of this session exists');
    if (older) this.#release(older);
    this.#leases.set(lease.sessionId, lease);
    this.#taken.set(lease.workerId, this.#takenOf(lease.workerId) + 1);
  }

  #release({ sessionId, workerId }: Lease): void {
    this.#leases.delete(sessionId);
    const left = this.#takenOf(workerId) - 1;
    if (left > 0) this.#taken.set(workerId, left);
    else this.#taken.delete(workerId);
  }

  #takenOf(workerId: string): number {
    return this.#taken.get(workerId) ?? 0;
  }

  #snapshot({ worker, load, stopResting }: Member): WorkerSnapshot {
    const { facts } = worker;
    return { facts, load, taken: this.#takenOf(facts.workerId), isResting: stopResting !== null };
  }

  #rest(member: Member): void {
    member.stopResting?.();
    member.stopResting = this.#clock.after(this.#restMs, () => {
      member.stopResting = null;
      this.#queue.serve();
    });
  }

  #forget(workerId: string): void {
    this.#members.get(workerId)?.stopResting?.();
    this.#members.delete(workerId);
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
