/*
 * Where a live session is performed (its state, `to_start` or `ongoing`, is another matter):
 * placed     `lease` is set                    -> searching when its worker is lost or declines; moving when its worker is about to exit
 * moving     as placed, while a slot elsewhere is waited for; then, with that slot, until the worker of `lease` has fallen silent
 *                                              -> placed on that slot under a higher epoch when it has, does not answer in time, or is lost;
 *                                                 placed as before when no slot came, searching when its worker is lost before one came
 * searching  it waits for a slot elsewhere     -> placed on a new lease of a higher epoch, or when its old worker
 *                                                 comes back first; nowhere when no slot came in time
 * unclaimed  after a restart of the control plane, until the worker of its record comes back -> placed, or searching
 *
 * A worker that has handed a session over stays in the room until its successor, who joins under the same identity, takes its place: what it
 * says meanwhile is of an older epoch. When no successor comes before the session is over, it is told to go. In the fleet the slot elsewhere
 * has replaced the old one from the moment it was found: the old one is a draining worker's, whose slots nobody gets.
 *
 * Lease and epoch change in one go between the session's saves, so that the answer to "is this placement still valid?" is never half true.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { TimelineEvent } from '#protocol/timeline.ts';
import type { Fleet, Lease, Placement } from '../../fleet/fleet.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import { HandOver } from './hand-over.ts';
import { jobOf, requirementsOf } from './job.ts';
import type { RetryDelays } from '../retry-delays.ts';
import { Search } from './search.ts';

export type SessionPlacementParts = {
  records: Pick<SessionRecords, 'updatePlacement'>;
  fleet: Fleet;
  clock: Clock;
  log: Log;
  /** How long to wait for a slot elsewhere. */
  searchMs: number;
  pauses: RetryDelays;
  /** Saves one after another. */
  inTurn: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** It lives at no other control plane. */
  isOurs: () => Promise<boolean>;
  record: () => SessionRecord;
  /** What the session's agent waits for; null: it is not known to send streams. */
  open: () => number[] | null;
  /** For the flight record. */
  note: (happening: TimelineEvent) => void;
  /** It has another lease, or none, instead of this one. */
  onLeft: (former: Lease | null) => void;
  /** The record's epoch and worker are this lease's from now on. */
  onPlaced: (lease: Lease) => void;
  /** Nobody can perform the session. */
  onNowhere: () => void;
};

export class SessionPlacement {
  readonly #parts: SessionPlacementParts;
  /** What the session was opened with. */
  readonly #first: Lease | null;
  #lease: Lease | null;
  #search: Search | null = null;
  #move: HandOver | null = null;
  /** Who has handed it over and may still be in the room. */
  #former: Lease | null = null;
  #isClosed = false;
  /** When a move that was stopped waits for no slot any more. */
  #stopped: Promise<void> = Promise.resolve();

  constructor(lease: Lease | null, parts: SessionPlacementParts) {
    this.#first = lease;
    this.#lease = lease;
    this.#parts = parts;
  }

  get lease(): Lease | null {
    return this.#lease;
  }

  get isSearching(): boolean {
    return this.#search !== null;
  }

  /** The worker of its first lease is asked to perform the session; one that was found since, when that worker was lost, is asked anyway. */
  begin(): void {
    const lease = this.#first;
    if (!lease || lease !== this.#lease) return;
    this.#assign(lease)
      .then(() => this.#lease ?? this.searchAgain())
      .catch((error: unknown) => this.#giveUp(error));
  }

  /** The worker that performs it is back. */
  claim(lease: Lease): void {
    this.#search?.stop();
    this.#search = null;
    this.#placeAt(lease);
    // It goes elsewhere all the same: that slot is the session's lease in the fleet.
    if (this.#move?.to) return;
    this.#parts.fleet.hold(lease).catch((error: unknown) => this.#logError(error, 'hold failed'));
  }

  /** Its worker is about to exit: once there is a slot elsewhere, the session goes there in its next silence. Called as long as that lasts. */
  move(): void {
    if (this.#move) return this.#move.ask();
    if (this.#lease === null || this.#isClosed) return;
    const move = new HandOver({
      clock: this.#parts.clock,
      reserve: (waitMs, signal) => this.#reserve(waitMs, signal),
      free: (lease) => this.#free(lease),
      askForRelease: (withinMs) => this.#askForRelease(withinMs),
    });
    this.#move = move;
    this.#handOver(move).catch((error: unknown) => this.#giveUp(error));
  }

  /** The worker of this placement has fallen silent. */
  released({ epoch }: Placement): void {
    if (this.#lease?.epoch === epoch) this.#move?.goOn();
  }

  /** The newest worker's face is in the room: no other one is any more. */
  arrived(): void {
    this.#former = null;
  }

  searchAgain(): void {
    const lease = this.#lease;
    this.#placeAt(null);
    // A slot is there already.
    if (this.#move?.to) return this.#move.goOn();
    this.#stopMoving();
    if (lease) this.#free(lease);
    if (this.#search || this.#isClosed) return;
    const search = this.#newSearch();
    this.#search = search;
    const { id: sessionId, epoch, workerId } = this.#parts.record();
    this.#parts.log.warn({ sessionId, epoch, workerId }, 'session looks for another slot');
    search.run().catch((error: unknown) => this.#giveUp(error));
  }

  /** The session is over: whoever calls gives the lease back. */
  leave(): Lease | null {
    const lease = this.#lease;
    this.#placeAt(null);
    this.close();
    const former = this.#former;
    if (former) {
      const { workerId, sessionId, epoch } = former;
      this.#parts.fleet
        .drop(workerId, { sessionId, epoch })
        .catch((error: unknown) => this.#logError(error, 'drop failed'));
    }
    return lease;
  }

  close(): void {
    this.#isClosed = true;
    this.#search?.stop();
    this.#search = null;
    this.#stopMoving();
  }

  async #handOver(move: HandOver): Promise<void> {
    const to = await move.run();
    if (this.#move !== move) return;
    this.#move = null;
    if (!to) return;
    // While Redis is away nobody else takes it up.
    if (!(await this.#parts.isOurs().catch(() => true))) return this.#free(to);
    this.#former = this.#lease;
    await this.#settleAt(to);
    if (this.#lease === null) this.searchAgain();
  }

  #askForRelease(withinMs: number): void {
    const lease = this.#lease;
    if (!lease) return;
    this.#parts.log.info(lease, 'session is handed over');
    this.#parts.fleet
      .release(lease, withinMs)
      .catch((error: unknown) => this.#logError(error, 'release failed'));
  }

  #stopMoving(): void {
    if (!this.#move) return;
    this.#stopped = this.#move.answered;
    this.#move.stop();
    this.#move = null;
  }

  #newSearch(): Search {
    const { clock, searchMs, note, onNowhere } = this.#parts;
    const search: Search = new Search({
      clock,
      searchMs,
      isOurs: async () => {
        await this.#stopped;
        return this.#parts.isOurs();
      },
      isPlaced: () => this.#lease !== null,
      reserve: (waitMs, signal) => this.#reserve(waitMs, signal),
      free: (lease) => this.#free(lease),
      settleAt: (lease, waitedMs) => {
        note({ kind: 'queued', waitedMs });
        return this.#settleAt(lease);
      },
      pause: () => this.#pause(),
      onFailed: (error) => this.#logError(error, 'no slot can be asked for'),
      onNowhere,
      onOver: () => {
        if (this.#search === search) this.#search = null;
      },
    });
    return search;
  }

  #reserve(waitMs: number, signal: AbortSignal): Promise<Lease | null> {
    const session = this.#parts.record();
    const { id: sessionId, epoch, accountId: account } = session;
    return this.#parts.fleet.reserve({ sessionId, epoch: epoch + 1 }, requirementsOf(session), {
      waitMs,
      account,
      isUrgent: true,
      signal,
    });
  }

  /** Afterwards the lease is gone when its worker does not take the session, or when it could not be saved. */
  async #settleAt(lease: Lease): Promise<void> {
    this.#placeAt(lease);
    // Before it is saved: from here on the older worker's claims and reports are refused.
    this.#parts.onPlaced(lease);
    if (await this.#save(lease)) await this.#assign(lease);
  }

  async #save(lease: Lease): Promise<boolean> {
    const { records, inTurn } = this.#parts;
    const save = async () => {
      if (this.#lease === lease) await records.updatePlacement(lease.sessionId, lease);
    };
    try {
      await inTurn(save);
      return true;
    } catch (error) {
      this.#logError(error, 'placement not saved');
      if (this.#lease === lease) this.#placeAt(null);
      this.#free(lease);
      await this.#pause();
      return false;
    }
  }

  #placeAt(lease: Lease | null): void {
    const former = this.#lease;
    this.#lease = lease;
    this.#parts.onLeft(former);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#parts.pauses.after(resolve, resolve));
  }

  /** Afterwards the lease is gone when the worker declined. */
  async #assign(lease: Lease): Promise<void> {
    if (this.#lease !== lease) return;
    const { sessionId, epoch, workerId } = lease;
    this.#parts.log.info({ sessionId, epoch, workerId }, 'session placed');
    const job = jobOf(this.#parts.record(), this.#parts.open());
    const askedAt = this.#parts.clock.elapsed();
    const answer = await this.#parts.fleet.assign(lease, job).catch((error: unknown) => {
      this.#logError(error, 'assignment failed');
      return 'declined' as const;
    });
    const tookMs = this.#parts.clock.elapsed() - askedAt;
    this.#parts.note({ kind: noteOf[answer], epoch, workerId, tookMs });
    // Whether a worker that is gone performs it shows when it comes back, or when it is declared lost.
    if (answer === 'declined' && this.#lease === lease) this.#placeAt(null);
  }

  /** A fleet that fails where it must not is a bug; no session may hang on it. */
  #giveUp(error: unknown): void {
    this.#stopMoving();
    this.#logError(error, 'placing failed');
    this.#parts.onNowhere();
  }

  #free(lease: Lease): void {
    this.#parts.fleet.free(lease).catch((error: unknown) => this.#logError(error, 'free failed'));
  }

  #logError(error: unknown, sentence: string): void {
    this.#parts.log.error({ sessionId: this.#parts.record().id, err: error }, sentence);
  }
}

const noteOf = { accepted: 'assigned', declined: 'declined', gone: 'unanswered' } as const;
