/*
 * One session that is not completed, and all that is alive about it: its lease, its search for a slot, its deadline. Closed by itself on
 * completion, or by Sessions when the control plane stops.
 *
 * Where it is performed (its state, `to_start` or `ongoing`, is another matter):
 * placed     `lease` is set                    -> searching when its worker is lost or declines
 * searching  it waits for a slot elsewhere     -> placed on a new lease of a higher epoch, or when its old worker
 *                                                 comes back first; completed with worker_lost when no slot came in time
 * unclaimed  after a restart of the control plane, until the worker of its record comes back -> placed, or searching
 *
 * The record is saved before anybody is told. Saves happen in turn, one after another; lease and epoch change in one go between them, so
 * that the answer to "is this placement still valid?" is never half true.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Lease, Placement } from '../fleet/fleet.ts';
import type {
  InsertOptions,
  SessionRecord,
  SessionRecords,
  SessionStateFields,
} from '../records/sessions.ts';
import { atTime, expiryOf } from './deadlines.ts';
import { advance, type SessionEvent, type SessionState } from './lifecycle.ts';
import type { SessionEvents } from './session-events.ts';

/** A report of a placement that is not the session's: recorded nowhere. */
export type Verdict = 'recorded' | 'stale';

export type Report = Extract<SessionEvent, { type: 'started' | 'ended' }>;

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
  /** Called once, when the session is completed and its slot is free. */
  onOver: (session: SessionRecord) => void;
};

export class LiveSession {
  readonly #parts: LiveSessionParts;
  /** Waits before something is tried again; call one to skip it. */
  readonly #pauses = new Set<() => void>();
  #record: SessionRecord;
  #lease: Lease | null;
  #search: AbortController | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #cancelExpiry: () => void = () => {};
  #isClosed = false;

  /** `lease` is null for a session found in the records after a restart. */
  constructor(record: SessionRecord, lease: Lease | null, parts: LiveSessionParts) {
    this.#record = record;
    this.#lease = lease;
    this.#parts = parts;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get isPlaced(): boolean {
    return this.#lease !== null;
  }

  /** Writes the record of a new session. */
  save(options: InsertOptions): Promise<void> {
    const record = this.#record;
    return this.#inTurn(() => this.#parts.records.insert(record, options));
  }

  /** From now on its deadline counts, and the worker of its lease is asked to perform it. */
  begin(): void {
    this.#watchExpiry();
    const lease = this.#lease;
    if (!lease) return;
    this.#assign(lease)
      .then(() => this.#lease ?? this.#searchAgain())
      .catch((error: unknown) => this.#giveUp(error));
  }

  /** Undoes a session that could not be saved. */
  async abandon(): Promise<void> {
    const lease = this.#lease;
    await this.close();
    if (lease) await this.#parts.fleet.free(lease);
  }

  /** What a worker says about the session under an epoch. Rejects when it could not be saved: the worker will say it again. */
  report(placement: Placement, event: Report): Promise<Verdict> {
    return this.#inTurn(async () => {
      const { epoch, createdAt } = this.#record;
      if (placement.epoch !== epoch) return 'stale';
      // Nothing happens before the request, whatever a worker's clock says.
      await this.#apply({ ...event, at: Math.max(createdAt, event.at) }, 'worker');
      return 'recorded';
    });
  }

  end(reason: EndReason): Promise<void> {
    const at = this.#parts.clock.now();
    return this.#inTurn(() => this.#apply({ type: 'ended', at, reason }, 'here'));
  }

  /** A worker came back and performs `placement`: is it still the valid one? Then the session stays where it is. */
  claim(placement: Placement, workerId: string): boolean {
    const { epoch, workerId: placedAt } = this.#record;
    if (placement.epoch !== epoch || workerId !== placedAt) return false;
    this.#search?.abort();
    this.#search = null;
    // A new lease, also when there is one: a loss that waits for its turn is about the old connection.
    const lease = { ...placement, workerId };
    this.#lease = lease;
    this.#parts.fleet.hold(lease).catch((error: unknown) => this.#logError(error, 'hold failed'));
    return true;
  }

  /** The worker does not perform the session any more, or never did. */
  lost(workerId: string): void {
    const lease = this.#lease;
    if (lease?.workerId !== workerId) return;
    this.#occur({ type: 'worker_lost' }, () => this.#lease === lease);
  }

  /** Nobody claimed it after a restart. */
  unclaimed(): void {
    this.#occur({ type: 'worker_lost' }, () => this.#lease === null && this.#search === null);
  }

  /** Stops all that is alive here; the record and the worker's performance go on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelExpiry();
    this.#stopSearch();
    await this.#turn;
  }

  /** Something happened that nobody will tell us again: when it cannot be saved now, it is tried until it can. */
  #occur(event: SessionEvent, isTrue: () => boolean): void {
    if (this.#isClosed) return;
    this.#inTurn(async () => {
      if (isTrue()) await this.#apply(event, 'here');
    }).catch((error: unknown) => {
      this.#logError(error, 'session change not saved');
      this.#afterPause(() => this.#occur(event, isTrue));
    });
  }

  /** Always in turn. `from` says who knows already that a session is over. */
  async #apply(event: SessionEvent, from: 'worker' | 'here'): Promise<void> {
    const { state, effects } = advance(stateOf(this.#record), event);
    for (const effect of effects) {
      switch (effect) {
        case 'save':
          await this.#parts.records.updateState(this.#record.id, fieldsOf(state));
          this.#record = { ...this.#record, ...fieldsOf(state) };
          this.#watchExpiry();
          break;
        case 'announce':
          this.#announce();
          break;
        case 'free_slot':
          await this.#leaveSlot(from);
          break;
        case 'place_again':
          this.#searchAgain();
      }
    }
  }

  #announce(): void {
    const session = this.#record;
    const { id: sessionId, epoch, workerId, endReason } = session;
    if (session.status === 'completed') {
      this.#parts.log.info({ sessionId, epoch, workerId, endReason }, 'session ended');
      this.#parts.events.emit('session.ended', { session });
    } else {
      this.#parts.log.info({ sessionId, epoch, workerId }, 'session started');
      this.#parts.events.emit('session.started', { session });
    }
  }

  async #leaveSlot(from: 'worker' | 'here'): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    this.#isClosed = true;
    this.#stopSearch();
    this.#parts.onOver(this.#record);
    if (!lease) return;
    if (from === 'here') await this.#parts.fleet.end(lease, this.#record.endReason ?? 'removed');
    await this.#parts.fleet.free(lease);
  }

  #searchAgain(): void {
    const lease = this.#lease;
    this.#lease = null;
    if (lease) this.#free(lease);
    if (this.#search || this.#isClosed) return;
    const search = new AbortController();
    this.#search = search;
    const { id: sessionId, epoch, workerId } = this.#record;
    this.#parts.log.warn({ sessionId, epoch, workerId }, 'session looks for another slot');
    this.#find(search).catch((error: unknown) => this.#giveUp(error));
  }

  #stopSearch(): void {
    for (const skip of this.#pauses) skip();
    this.#pauses.clear();
    this.#search?.abort();
    this.#search = null;
  }

  async #find(search: AbortController): Promise<void> {
    const giveUpAt = this.#parts.clock.elapsed() + this.#parts.searchMs;
    try {
      while (!search.signal.aborted && this.#lease === null) {
        if (!(await this.#tryOnce(search.signal, giveUpAt))) return;
      }
    } finally {
      // In one go with the last look at the lease: whoever loses it from now on begins a new search.
      if (this.#search === search) this.#search = null;
    }
  }

  /** False when there is nothing more to try. */
  async #tryOnce(signal: AbortSignal, giveUpAt: number): Promise<boolean> {
    const { clock, fleet } = this.#parts;
    const { id: sessionId, epoch, transport, avatarId } = this.#record;
    const lease = await fleet.reserve(
      { sessionId, epoch: epoch + 1 },
      { transport, avatarId },
      { waitMs: giveUpAt - clock.elapsed(), isUrgent: true, signal },
    );
    if (signal.aborted) {
      if (lease) this.#free(lease);
      return false;
    }
    if (!lease) {
      this.#completeLost();
      return false;
    }
    this.#lease = lease;
    // Before it is saved: from here on the older worker's claims and reports are refused.
    this.#record = { ...this.#record, epoch: lease.epoch, workerId: lease.workerId };
    if (await this.#savePlacement(lease)) await this.#assign(lease);
    return true;
  }

  async #savePlacement(lease: Lease): Promise<boolean> {
    const { records } = this.#parts;
    const save = async () => {
      if (this.#lease === lease) await records.updatePlacement(lease.sessionId, lease);
    };
    try {
      await this.#inTurn(save);
      return true;
    } catch (error) {
      this.#logError(error, 'placement not saved');
      if (this.#lease === lease) this.#lease = null;
      this.#free(lease);
      await new Promise<void>((resolve) => this.#afterPause(resolve, resolve));
      return false;
    }
  }

  /** Afterwards the lease is gone when the worker declined. */
  async #assign(lease: Lease): Promise<void> {
    if (this.#lease !== lease) return;
    const { sessionId, epoch, workerId } = lease;
    const { transport, roomUrl: url, roomToken: token, avatarId, video } = this.#record;
    this.#parts.log.info({ sessionId, epoch, workerId }, 'session placed');
    const room = { url, token };
    const answer = await this.#parts.fleet.assign(lease, { transport, room, avatarId, video });
    // Whether a worker that is gone performs it shows when it comes back, or when it is declared lost.
    if (answer === 'declined' && this.#lease === lease) this.#lease = null;
  }

  #watchExpiry(): void {
    const { clock, startMs } = this.#parts;
    this.#cancelExpiry();
    const at = expiryOf(this.#record, startMs);
    const expire = () => this.#occur({ type: 'expired', at: clock.now() }, () => true);
    this.#cancelExpiry = at === null ? () => {} : atTime(clock, at, expire);
  }

  /** A fleet that fails where it must not is a bug; no session may hang on it. */
  #giveUp(error: unknown): void {
    this.#logError(error, 'placing failed');
    this.#completeLost();
  }

  #completeLost(): void {
    const at = this.#parts.clock.now();
    this.#occur({ type: 'ended', at, reason: 'worker_lost' }, () => this.#lease === null);
  }

  /** `onSkip` runs instead when the session closes first. */
  #afterPause(run: () => void, onSkip: () => void = () => {}): void {
    if (this.#isClosed) return onSkip();
    const cancel = this.#parts.clock.after(this.#parts.retryMs, () => {
      this.#pauses.delete(skip);
      run();
    });
    const skip = () => {
      cancel();
      onSkip();
    };
    this.#pauses.add(skip);
  }

  #free(lease: Lease): void {
    this.#parts.fleet.free(lease).catch((error: unknown) => this.#logError(error, 'free failed'));
  }

  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => {});
    return result;
  }

  #logError(error: unknown, sentence: string): void {
    this.#parts.log.error({ sessionId: this.#record.id, err: error }, sentence);
  }
}

function stateOf({ status, startedAt, endedAt, endReason }: SessionRecord): SessionState {
  switch (status) {
    case 'to_start':
      return { type: 'to_start' };
    case 'ongoing':
      return { type: 'ongoing', startedAt: startedAt ?? 0 };
    case 'completed':
      return {
        type: 'completed',
        startedAt: startedAt ?? 0,
        endedAt: endedAt ?? 0,
        reason: endReason ?? 'removed',
      };
  }
}

const fieldsOf = (state: SessionState): SessionStateFields => ({
  status: state.type,
  startedAt: state.type === 'to_start' ? null : state.startedAt,
  endedAt: state.type === 'completed' ? state.endedAt : null,
  endReason: state.type === 'completed' ? state.reason : null,
});
