/*
 * One session that is not completed, and all that is alive about it: its place, its deadline, its saves. Closed by itself on completion, or
 * by Sessions when the control plane stops.
 *
 * The record is saved before anybody is told. Saves happen in turn, one after another.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Lease, Placement } from '../fleet/fleet.ts';
import type { InsertOptions, SessionRecord, SessionRecords } from '../records/sessions/sessions.ts';
import { atTime, expiryOf } from './deadlines.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import { advance, type SessionEvent } from './lifecycle.ts';
import { RetryDelays } from './retry-delays.ts';
import { SessionPlacement } from './placement/session-placement.ts';
import { SessionNotifier, type AgedTimelineEvent } from './session-notifier.ts';
import type { SessionEvents } from './session-events.ts';
import { fieldsOf, stateOf } from './session-state.ts';
import { OutageTracker } from './recovery/outage-tracker.ts';

/** A report of a placement that is not the session's: recorded nowhere. */
export type Verdict = 'recorded' | 'stale';

export type Report = Extract<SessionEvent, { type: 'started' | 'ended' }>;

/** How many workers may accept the session and then be unable to show its face. */
const MAX_GAVE_UP = 3;
/** A face shown for this long resets the count. */
const STEADY_MS = 60_000;

export type LiveSessionParts = {
  records: SessionRecords;
  fleet: Fleet;
  events: SessionEvents;
  clock: Clock;
  log: Log;
  /** How long the face may take from the request to its first frame. */
  startMs: number;
  /** How long a session that lost its worker waits for a slot. */
  searchMs: number;
  /** How long to wait before a save that failed is tried again. */
  retryMs: number;
  /** It lives at no other control plane: asked before it is placed again. */
  isOurs: () => Promise<boolean>;
  /** It has another lease, or none; `from`: the worker of the one before. */
  onMoved: (session: LiveSession, from: string | undefined) => void;
  /** Called once, when the session is completed and its slot is free. */
  onOver: (session: SessionRecord) => void;
};

export class LiveSession {
  readonly #parts: LiveSessionParts;
  readonly #retryDelays: RetryDelays;
  readonly #placement: SessionPlacement;
  readonly #outages: OutageTracker;
  #record: SessionRecord;
  readonly #turns = new SerialQueue();
  readonly #notifier: SessionNotifier;
  #cancelExpiry: () => void = () => {};
  #gaveUp = 0;
  /** When the newest worker first showed the face; null while it has not. */
  #arrivedAt: number | null = null;
  /**
   * A worker fell silent, so it may be alive and come back: before it hears that it must not, the media server's client in it takes the seat
   * in the room again.
   */
  #mayComeBack = false;
  /** What its agent waits for, by its worker's last word; null: no worker has heard a stream of it. */
  #open: number[] | null = null;
  #isClosed = false;

  /** `lease` is null for a session found in the records after a restart. */
  constructor(record: SessionRecord, lease: Lease | null, parts: LiveSessionParts) {
    this.#record = record;
    this.#parts = parts;
    const { records, fleet, events, clock, log, searchMs, retryMs, isOurs } = parts;
    this.#retryDelays = new RetryDelays(clock, retryMs);
    this.#notifier = new SessionNotifier({ events, clock, log, record: () => this.#record });
    this.#outages = new OutageTracker(clock, this.#notifier);
    this.#placement = new SessionPlacement(lease, {
      records,
      fleet,
      clock,
      log,
      searchMs,
      pauses: this.#retryDelays,
      inTurn: (run) => this.#turns.run(run),
      isOurs,
      record: () => this.#record,
      open: () => this.#open,
      note: (happening) => this.#notifier.note(happening),
      onLeft: (former) => parts.onMoved(this, former?.workerId),
      onPlaced: ({ epoch, workerId }) => {
        if (this.#record.status === 'ongoing') this.#outages.handsOver(this.#record);
        this.#record = { ...this.#record, epoch, workerId };
      },
      onNowhere: () => this.#completeLost(),
    });
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get lease(): Lease | null {
    return this.#placement.lease;
  }

  get isPlaced(): boolean {
    return this.#placement.lease !== null;
  }

  /** Writes the record of a new session. */
  save(options: InsertOptions): Promise<void> {
    const record = this.#record;
    return this.#turns.run(() => this.#parts.records.insert(record, options));
  }

  /** From now on its deadline counts, and the worker of its lease is asked to perform it. */
  begin(): void {
    if (this.#isClosed) return;
    this.#watchExpiry();
    this.#placement.begin();
  }

  /** Undoes a session that could not be saved. */
  async abandon(): Promise<void> {
    const { lease } = this.#placement;
    await this.close();
    if (lease) await this.#parts.fleet.free(lease);
  }

  /** What a worker says about the session under an epoch. Rejects when it could not be saved: the worker will say it again. */
  report(placement: Placement, event: Report): Promise<Verdict> {
    return this.#turns.run(async () => {
      const { epoch, createdAt } = this.#record;
      if (placement.epoch !== epoch) return 'stale';
      if (this.#mayComeBack && event.type === 'ended' && event.reason === 'replaced') {
        this.#mayComeBack = false;
        await this.#apply({ type: 'worker_lost' }, 'worker');
        return 'recorded';
      }
      // Nothing happens before the request, whatever a worker's clock says.
      const at = Math.max(createdAt, event.at);
      await this.#apply({ ...event, at }, 'worker');
      if (event.type === 'started') this.#arrived(at);
      return 'recorded';
    });
  }

  /** For whoever performs it after the worker of `placement`: how much was heard of each segment that the agent waits for, in seconds. */
  spoke({ epoch }: Placement, open: number[]): void {
    if (epoch === this.#record.epoch) this.#open = open;
  }

  /** For its flight record. */
  noted({ epoch }: Placement, happenings: AgedTimelineEvent[]): void {
    const heardAt = this.#parts.clock.now();
    // In turn, after what its worker said before it.
    void this.#turns.run(async () => {
      const { epoch: current, status } = this.#record;
      if (epoch === current && status !== 'completed') this.#notifier.toldAll(happenings, heardAt);
    });
  }

  /** For whoever performs it next, too. */
  renewToken({ epoch }: Placement, token: string): Promise<void> {
    return this.#turns.run(async () => {
      const { id, epoch: current, renewedToken } = this.#record;
      // Workers say it again on every connection.
      if (epoch !== current || token === renewedToken) return;
      await this.#parts.records.updateRenewedToken(id, token);
      this.#record = { ...this.#record, renewedToken: token };
      this.#notifier.note({ kind: 'token_renewed', epoch });
    });
  }

  end(reason: EndReason, at: number = this.#parts.clock.now()): Promise<void> {
    return this.#turns.run(() => this.#apply({ type: 'ended', at, reason }, 'here'));
  }

  /** A worker came back and performs `placement`: is it still the valid one? Then the session stays where it is. */
  claim(placement: Placement, workerId: string): boolean {
    const { epoch, workerId: placedAt } = this.#record;
    if (placement.epoch !== epoch || workerId !== placedAt) return false;
    // A new lease, also when there is one: a loss that waits for its turn is about the old connection.
    this.#placement.claim({ ...placement, workerId });
    this.#outages.isBack();
    this.#parts.events.emit('session.returned', { session: this.#record });
    return true;
  }

  /** Its worker wants another one to take it over. */
  moveAway(workerId: string): void {
    if (this.#placement.lease?.workerId === workerId) this.#placement.move();
  }

  released(placement: Placement): void {
    if (placement.epoch === this.#record.epoch) this.#outages.handsOver(this.#record);
    this.#placement.released(placement);
  }

  /** The worker does not perform the session any more, or never did; or it is silent, and nobody knows. */
  lost(workerId: string, isSilent = false): void {
    const { lease } = this.#placement;
    if (lease?.workerId !== workerId) return;
    this.#mayComeBack ||= isSilent;
    this.#arrivedAt = null;
    this.#occur({ type: 'worker_lost' }, () => this.#placement.lease === lease);
  }

  /** The worker has accepted it and cannot show its face. Others may; not without end. */
  gaveUp({ epoch }: Placement, workerId: string): void {
    const { lease } = this.#placement;
    if (lease?.workerId !== workerId || lease.epoch !== epoch) return;
    const at = this.#parts.clock.now();
    if (this.#arrivedAt !== null && at - this.#arrivedAt > STEADY_MS) this.#gaveUp = 0;
    this.#arrivedAt = null;
    this.#gaveUp += 1;
    this.#notifier.note({ kind: 'given_up', epoch, workerId });
    const event: SessionEvent =
      this.#gaveUp < MAX_GAVE_UP
        ? { type: 'worker_lost' }
        : { type: 'ended', at, reason: 'worker_lost' };
    this.#occur(event, () => this.#placement.lease === lease);
  }

  /** Nobody claimed it after a restart. */
  unclaimed(): void {
    this.#occur({ type: 'worker_lost' }, () => !this.isPlaced && !this.#placement.isSearching);
  }

  /** Stops all that is alive here; the record and the worker's performance go on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelExpiry();
    this.#retryDelays.close();
    this.#placement.close();
    await this.#turns.settled();
  }

  /** Something happened that nobody will tell us again: when it cannot be saved now, it is tried until it can. */
  #occur(event: SessionEvent, isTrue: () => boolean): void {
    if (this.#isClosed) return;
    this.#turns
      .run(async () => {
        if (isTrue()) await this.#apply(event, 'here');
      })
      .catch((error: unknown) => {
        this.#logError(error, 'session change not saved');
        this.#retryDelays.after(() => this.#occur(event, isTrue));
      });
  }

  /** Always in turn. `from` says who knows already that a session is over. */
  async #apply(event: SessionEvent, from: 'worker' | 'here'): Promise<void> {
    const { state, effects } = advance(stateOf(this.#record), event);
    for (const effect of effects) {
      switch (effect) {
        case 'save':
          await this.#parts.records.updateState(this.#record, fieldsOf(state));
          this.#record = { ...this.#record, ...fieldsOf(state) };
          this.#watchExpiry();
          break;
        case 'announce':
          this.#notifier.announce();
          break;
        case 'free_slot':
          await this.#leaveSlot(from);
          break;
        case 'place_again':
          this.#outages.lost(this.#record);
          this.#parts.events.emit('session.lost', { session: this.#record });
          this.#placement.searchAgain();
      }
    }
  }

  /** Its newest worker shows the face. */
  #arrived(at: number): void {
    this.#placement.arrived();
    this.#arrivedAt = at;
    const afterMs = this.#outages.shown(this.#record, at);
    if (afterMs === null) return;
    this.#parts.events.emit('session.recovered', { session: this.#record, afterMs });
  }

  async #leaveSlot(from: 'worker' | 'here'): Promise<void> {
    const unclaimed = this.isPlaced || this.#placement.isSearching ? null : this.#recordedLease;
    const lease = this.#placement.leave() ?? unclaimed;
    this.#isClosed = true;
    this.#retryDelays.close();
    this.#parts.onOver(this.#record);
    if (!lease) return;
    const { fleet } = this.#parts;
    try {
      if (from === 'here') await fleet.end(lease, this.#record.endReason ?? 'removed');
    } finally {
      await fleet.free(lease);
    }
  }

  /** The slot that the fleet may still hold for a session that was taken up, until its worker claims it. */
  get #recordedLease(): Lease | null {
    const { id: sessionId, epoch, workerId } = this.#record;
    return workerId === null ? null : { sessionId, epoch, workerId };
  }

  #watchExpiry(): void {
    const { clock, startMs } = this.#parts;
    this.#cancelExpiry();
    const at = expiryOf(this.#record, startMs);
    const expire = () => this.#occur({ type: 'expired', at: clock.now() }, () => true);
    this.#cancelExpiry = at === null ? () => {} : atTime(clock, at, expire);
  }

  #completeLost(): void {
    const at = this.#parts.clock.now();
    this.#occur({ type: 'ended', at, reason: 'worker_lost' }, () => !this.isPlaced);
  }

  #logError(error: unknown, sentence: string): void {
    this.#parts.log.error({ sessionId: this.#record.id, err: error }, sentence);
  }
}
