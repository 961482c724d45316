/* The workers whose sockets are at this control plane, and what is known of each: whoever counts the slots is told when it changes. */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import type { Assignment, ConnectedWorker, FleetEvents, Job, Lease, WorkerLoad } from './fleet.ts';
import { inTime, judge, type Overload } from './overload.ts';

export type Member = {
  readonly worker: ConnectedWorker;
  /** When it connected, in milliseconds since the epoch. */
  readonly since: number;
  load: WorkerLoad;
  /** What it said last that it performs, in full; null when it never has. */
  performing: readonly Placement[] | null;
  isDraining: boolean;
  /** Its frames do not keep time. */
  isLate: boolean;
  /** It declined a session a moment ago. */
  isResting: boolean;
};

type Watched = Member & {
  overload: Overload;
  stopResting: (() => void) | null;
  /** It rests because it did not answer. */
  isSilent: boolean;
};

/** How much longer than one that refused a worker rests that did not answer, unless it says something before: it may not be alive. */
const SILENT_FACTOR = 10;

export type ConnectedWorkersOptions = {
  clock: Clock;
  log: Log;
  events: FleetEvents;
  /** How long a worker that declined a session is offered none. */
  restMs: number;
  onChanged: (member: Member) => void;
};

export class ConnectedWorkers {
  readonly #options: ConnectedWorkersOptions;
  readonly #members = new Map<string, Watched>();

  constructor(options: ConnectedWorkersOptions) {
    this.#options = options;
  }

  all(): Iterable<Member> {
    return this.#members.values();
  }

  get(workerId: string): Member | undefined {
    return this.#members.get(workerId);
  }

  /** An earlier connection of the same worker is forgotten. */
  join(worker: ConnectedWorker): Member {
    this.#forget(worker.facts.workerId);
    const member: Watched = {
      worker,
      since: this.#options.clock.now(),
      load: { performing: 0, lateFrames: 0, draining: false },
      performing: null,
      isDraining: false,
      isLate: false,
      isResting: false,
      overload: inTime,
      stopResting: null,
      isSilent: false,
    };
    this.#members.set(worker.facts.workerId, member);
    return member;
  }

  /** Null when the worker is here by another connection, or not at all. */
  leave(worker: ConnectedWorker): Member | null {
    const member = this.#members.get(worker.facts.workerId);
    if (member?.worker !== worker) return null;
    this.#forget(worker.facts.workerId);
    return member;
  }

  report(workerId: string, load: WorkerLoad): void {
    const member = this.#members.get(workerId);
    if (!member) return;
    const { avOffsetsMs } = load;
    if (avOffsetsMs) this.#options.events.emit('offsets.reported', { avOffsetsMs });
    member.load = load;
    member.performing = load.sessions ?? member.performing;
    // Nobody stops draining; what it said on the way to being told is older.
    member.isDraining ||= load.draining;
    this.#judge(member);
    if (member.isSilent) this.#rest(member);
    else this.#options.onChanged(member);
  }

  /** What the worker answered; `absent`: it is not here, and was told nothing. */
  async assign(lease: Lease, job: Job): Promise<Assignment | 'absent'> {
    const { workerId, sessionId, epoch } = lease;
    const member = this.#members.get(workerId);
    if (!member) return 'absent';
    const answer = await member.worker.assign({ sessionId, epoch }, job);
    if (answer === 'accepted' || answer === 'gone') return answer;
    this.#options.log.warn({ ...lease, answer }, 'worker declined a session');
    this.#rest(member, answer === 'silent');
    return 'declined';
  }

  rest(workerId: string): void {
    const member = this.#members.get(workerId);
    if (member) this.#rest(member);
  }

  /** Each of these: false when the worker is not here. */
  end({ workerId, sessionId, epoch }: Lease, reason: EndReason): boolean {
    return this.#tell(workerId, (worker) => worker.end({ sessionId, epoch }, reason));
  }

  release({ workerId, sessionId, epoch }: Lease, withinMs: number): boolean {
    return this.#tell(workerId, (worker) => worker.release({ sessionId, epoch }, withinMs));
  }

  drop(workerId: string, { sessionId, epoch }: Placement): boolean {
    return this.#tell(workerId, (worker) => worker.drop({ sessionId, epoch }));
  }

  drain(workerId: string): boolean {
    const member = this.#members.get(workerId);
    if (!member) return false;
    // Not only when it says so itself: what is assigned until then would be refused.
    member.isDraining = true;
    this.#options.onChanged(member);
    member.worker.drain();
    return true;
  }

  close(): void {
    for (const workerId of this.#members.keys()) this.#forget(workerId);
  }

  #tell(workerId: string, tell: (worker: ConnectedWorker) => void): boolean {
    const member = this.#members.get(workerId);
    if (member) tell(member.worker);
    return member !== undefined;
  }

  #judge(member: Watched): void {
    const { clock, log } = this.#options;
    const { workerId } = member.worker.facts;
    const { lateFrames } = member.load;
    member.overload = judge(member.overload, lateFrames, clock.elapsed());
    if (member.overload.isLate === member.isLate) return;
    member.isLate = member.overload.isLate;
    if (member.isLate) log.warn({ workerId, lateFrames }, 'worker runs late and offers no slots');
    else log.info({ workerId, lateFrames }, 'worker keeps time again');
  }

  #rest(member: Watched, isSilent = false): void {
    const { clock, restMs } = this.#options;
    member.stopResting?.();
    member.isResting = true;
    member.isSilent = isSilent;
    this.#options.onChanged(member);
    member.stopResting = clock.after(isSilent ? SILENT_FACTOR * restMs : restMs, () => {
      member.stopResting = null;
      member.isResting = false;
      member.isSilent = false;
      this.#options.onChanged(member);
    });
  }

  #forget(workerId: string): void {
    this.#members.get(workerId)?.stopResting?.();
    this.#members.delete(workerId);
  }
}
