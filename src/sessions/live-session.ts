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
import { InTurn } from '#shared/in-turn.ts';
import { advance, type SessionEvent } from './lifecycle.ts';
import { Pauses } from './pauses.ts';
import { Placing } from './placement/placing.ts';
import { SessionNews, type AgedHappening } from './session-news.ts';
import type { SessionEvents } from './session-events.ts';
import { fieldsOf, stateOf } from './session-state.ts';
import { Whereabouts } from './recovery/whereabouts.ts';

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
  readonly #pauses: Pauses;
  readonly #placing: Placing;
  readonly #whereabouts: Whereabouts;
  #record: SessionRecord;
  readonly #turns = new InTurn();
  readonly #news: SessionNews;
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
    this.#pauses = new Pauses(clock, retryMs);
    this.#news = new SessionNews({ events, clock, log, record: () => this.#record });
    this.#whereabouts = new Whereabouts(clock, this.#news);
    this.#placing = new Placing(lease, {
      records,
      fleet,
      clock,
      log,
      searchMs,
      pauses: this.#pauses,
      inTurn: (run) => this.#turns.run(run),
      isOurs,
      record: () => this.#record,
      open: () => this.#open,
      note: (happening) => this.#news.note(happening),
      onLeft: (former) => parts.onMoved(this, former?.workerId),
      onPlaced: ({ epoch, workerId }) => {
        if (this.#record.status === 'ongoing') this.#whereabouts.handsOver(this.#record);
        this.#record = { ...this.#record, epoch, workerId };
      },
      onNowhere: () => this.#completeLost(),
    });
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get lease(): Lease | null {
    return this.#placing.lease;
  }

  get isPlaced(): boolean {
    return this.#placing.lease !== null;
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
    this.#placing.begin();
  }

  /** Undoes a session that could not be saved. */
  async abandon(): Promise<void> {
    const { lease } = this.#placing;
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
  noted({ epoch }: Placement, happenings: AgedHappening[]): void {
    const heardAt = this.#parts.clock.now();
    // In turn, after what its worker said before it.
    void this.#turns.run(async () => {
      const { epoch: current, status } = this.#record;
      if (epoch === current && status !== 'completed') this.#news.toldAll(happenings, heardAt);
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
      this.#news.note({ kind: 'token_renewed', epoch });
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
    this.#placing.claim({ ...placement, workerId });
    this.#whereabouts.isBack();
    this.#parts.events.emit('session.returned', { session: this.#record });
    return true;
  }

  /** Its worker wants another one to take it over. */
  moveAway(workerId: string): void {
    if (this.#placing.lease?.workerId === workerId) this.#placing.move();
  }

  released(placement: Placement): void {
    if (placement.epoch === this.#record.epoch) this.#whereabouts.handsOver(this.#record);
    this.#placing.released(placement);
  }

  /** The worker does not perform the session any more, or never did; or it is silent, and nobody knows. */
  lost(workerId: string, isSilent = false): void {
    const { lease } = this.#placing;
    if (lease?.workerId !== workerId) return;
    this.#mayComeBack ||= isSilent;
    this.#arrivedAt = null;
    this.#occur({ type: 'worker_lost' }, () => this.#placing.lease === lease);
  }

  /** The worker has accepted it and cannot show its face. Others may; not without end. */
  gaveUp({ epoch }: Placement, workerId: string): void {
    const { lease } = this.#placing;
    if (lease?.workerId !== workerId || lease.epoch !== epoch) return;
    const at = this.#parts.clock.now();
    if (this.#arrivedAt !== null && at - this.#arrivedAt > STEADY_MS) this.#gaveUp = 0;
    this.#arrivedAt = null;
    this.#gaveUp += 1;
    this.#news.note({ kind: 'given_up', epoch, workerId });
    const event: SessionEvent =
      this.#gaveUp < MAX_GAVE_UP
        ? { type: 'worker_lost' }
        : { type: 'ended', at, reason: 'worker_lost' };
    this.#occur(event, () => this.#placing.lease === lease);
  }

  /** Nobody claimed it after a restart. */
  unclaimed(): void {
    this.#occur({ type: 'worker_lost' }, () => !this.isPlaced && !this.#placing.isSearching);
  }

  /** Stops all that is alive here; the record and the worker's performance go on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelExpiry();
    this.#pauses.close();
    this.#placing.close();
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
        this.#pauses.after(() => this.#occur(event, isTrue));
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
          this.#news.announce();
          break;
        case 'free_slot':
          await this.#leaveSlot(from);
          break;
        case 'place_again':
          this.#whereabouts.lost(this.#record);
          this.#parts.events.emit('session.lost', { session: this.#record });
          this.#placing.searchAgain();
      }
    }
  }

  /** Its newest worker shows the face. */
  #arrived(at: number): void {
    this.#placing.arrived();
    this.#arrivedAt = at;
    const afterMs = this.#whereabouts.shown(this.#record, at);
    if (afterMs === null) return;
    this.#parts.events.emit('session.recovered', { session: this.#record, afterMs });
  }

  async #leaveSlot(from: 'worker' | 'here'): Promise<void> {
    const unclaimed = this.isPlaced || this.#placing.isSearching ? null : this.#recordedLease;
    const lease = this.#placing.leave() ?? unclaimed;
    this.#isClosed = true;
    this.#pauses.close();
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
