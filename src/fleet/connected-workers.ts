/* Workers whose sockets this control plane holds, and their state. */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Order } from '#protocol/worker/gateway-messages.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Question, ResultOf } from '#protocol/worker/questions.ts';
import type { Assignment, ConnectedWorker, FleetEvents, Job, Lease, WorkerLoad } from './fleet.ts';
import { advanceCooldown, type Cooldown, type CooldownEvent } from './cooldown.ts';
import { advanceOverload, isOverloaded, type Overload } from './overload.ts';

export type WorkerEntry = {
  readonly worker: ConnectedWorker;
  /** When it connected, in milliseconds since the epoch. */
  readonly since: number;
  load: WorkerLoad;
  /**
   * All placements, as it last named them; null if they have changed since, or were never named.
   */
  performing: readonly Placement[] | null;
  isDraining: boolean;
  /** An operator withholds its slots. */
  isCordoned: boolean;
  isOverloaded: boolean;
  /** It recently declined a session. */
  isCoolingDown: boolean;
};

type Watched = WorkerEntry & {
  overload: Overload;
  cooldown: Cooldown;
  stopCooldown: () => void;
};

/** How long a worker that declined a session is offered no other. */
const COOLDOWN_MS = 1_000;

type ConnectedWorkersOptions = {
  clock: Clock;
  log: Log;
  events: FleetEvents;
  /** As in `PlacementRules`. */
  lateFramesLimit: number;
  /** The slots that the worker offers may have changed. */
  onChanged: (entry: WorkerEntry) => void;
};

export class ConnectedWorkers {
  readonly #options: ConnectedWorkersOptions;
  readonly #connected = new Map<string, Watched>();
  #cordoned: ReadonlySet<string> = new Set();

  constructor(options: ConnectedWorkersOptions) {
    this.#options = options;
  }

  all(): Iterable<WorkerEntry> {
    return this.#connected.values();
  }

  get(workerId: string): WorkerEntry | undefined {
    return this.#connected.get(workerId);
  }

  /** Replaces an earlier connection of the same worker. */
  join(worker: ConnectedWorker): WorkerEntry {
    this.#forget(worker.facts.workerId);
    const entry: Watched = {
      worker,
      since: this.#options.clock.now(),
      load: { performing: 0, lateFrames: 0, draining: false },
      performing: null,
      isDraining: false,
      isCordoned: this.#cordoned.has(worker.facts.workerId),
      isOverloaded: false,
      isCoolingDown: false,
      overload: { type: 'normal' },
      cooldown: 'none',
      stopCooldown: () => {},
    };
    this.#connected.set(worker.facts.workerId, entry);
    return entry;
  }

  /** Null if this is not the worker's current connection. */
  leave(worker: ConnectedWorker): WorkerEntry | null {
    const entry = this.#connected.get(worker.facts.workerId);
    if (entry?.worker !== worker) return null;
    this.#forget(worker.facts.workerId);
    return entry;
  }

  report(workerId: string, load: WorkerLoad): void {
    const entry = this.#connected.get(workerId);
    if (!entry) return;
    const { avOffsetsMs } = load;
    if (avOffsetsMs) this.#options.events.emit('offsets.reported', { avOffsetsMs });
    entry.load = load;
    const isCurrent = entry.performing?.length === load.performing;
    entry.performing = load.sessions ?? (isCurrent ? entry.performing : null);
    // Draining is irreversible; ignore stale reports.
    entry.isDraining ||= load.draining;
    this.#checkLoad(entry);
    this.#advanceCooldown(entry, 'reported');
  }

  /** `absent`: the worker is not connected here. */
  async assign(lease: Lease, job: Job): Promise<Assignment | 'absent'> {
    const { workerId, sessionId, epoch } = lease;
    const entry = this.#connected.get(workerId);
    if (!entry) return 'absent';
    const answer = await entry.worker.assign({ sessionId, epoch }, job);
    if (answer === 'accepted' || answer === 'gone') return answer;
    this.#options.log.warn({ ...lease, answer }, 'worker declined a session');
    this.#advanceCooldown(entry, answer === 'silent' ? 'unanswered' : 'declined');
    return 'declined';
  }

  /** Undefined: the worker is not connected here. */
  ask<OneQuestion extends Question>(
    workerId: string,
    question: OneQuestion,
  ): Promise<ResultOf<OneQuestion>> | undefined {
    return this.#connected.get(workerId)?.worker.ask(question);
  }

  /** False: the worker is not connected here. */
  send(workerId: string, order: Order): boolean {
    const entry = this.#connected.get(workerId);
    entry?.worker.send(order);
    return entry !== undefined;
  }

  coolDown(workerId: string): void {
    const entry = this.#connected.get(workerId);
    if (entry) this.#advanceCooldown(entry, 'declined');
  }

  /** False: the worker is not connected here. */
  drain(workerId: string): boolean {
    const entry = this.#connected.get(workerId);
    if (!entry) return false;
    // Set before the worker reports it: it would refuse assignments sent meanwhile.
    entry.isDraining = true;
    this.#options.onChanged(entry);
    entry.worker.send({ type: 'drain' });
    return true;
  }

  /** Also for workers that connect later. */
  cordon(workerIds: ReadonlySet<string>): void {
    this.#cordoned = workerIds;
    for (const entry of this.#connected.values()) {
      const isCordoned = workerIds.has(entry.worker.facts.workerId);
      if (entry.isCordoned === isCordoned) continue;
      entry.isCordoned = isCordoned;
      this.#options.onChanged(entry);
    }
  }

  close(): void {
    for (const workerId of this.#connected.keys()) this.#forget(workerId);
  }

  #checkLoad(entry: Watched): void {
    const { clock, log, lateFramesLimit } = this.#options;
    const { workerId } = entry.worker.facts;
    const { lateFrames } = entry.load;
    const report = { lateFrames, limit: lateFramesLimit, now: clock.elapsed() };
    entry.overload = advanceOverload(entry.overload, report);
    if (isOverloaded(entry.overload) === entry.isOverloaded) return;
    entry.isOverloaded = isOverloaded(entry.overload);
    if (entry.isOverloaded) log.warn({ workerId, lateFrames }, 'worker overloaded');
    else log.info({ workerId, lateFrames }, 'worker recovered from overload');
  }

  #advanceCooldown(entry: Watched, event: CooldownEvent): void {
    const { clock, onChanged } = this.#options;
    const { cooldown, timer } = advanceCooldown(entry.cooldown, event);
    entry.cooldown = cooldown;
    entry.isCoolingDown = cooldown !== 'none';
    if (timer !== null) entry.stopCooldown();
    onChanged(entry);
    if (timer === null) return;
    entry.stopCooldown = clock.after(timer * COOLDOWN_MS, () =>
      this.#advanceCooldown(entry, 'elapsed'),
    );
  }

  #forget(workerId: string): void {
    this.#connected.get(workerId)?.stopCooldown();
    this.#connected.delete(workerId);
  }
}
