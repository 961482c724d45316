/*
 * Where a live session is performed (its state, `to_start` or `ongoing`, is another matter):
 * placed     `lease` is set                    -> searching when its worker is lost or declines
 * searching  it waits for a slot elsewhere     -> placed on a new lease of a higher epoch, or when its old worker
 *                                                 comes back first; nowhere when no slot came in time
 * unclaimed  after a restart of the control plane, until the worker of its record comes back -> placed, or searching
 *
 * Lease and epoch change in one go between the session's saves, so that the answer to "is this placement still valid?" is never half true.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Lease } from '../fleet/fleet.ts';
import type { SessionRecord, SessionRecords } from '../records/sessions.ts';
import type { Pauses } from './pauses.ts';

export type PlacingParts = {
  records: Pick<SessionRecords, 'updatePlacement'>;
  fleet: Fleet;
  clock: Clock;
  log: Log;
  /** How long to wait for a slot elsewhere. */
  searchMs: number;
  pauses: Pauses;
  /** Saves one after another. */
  inTurn: <Result>(run: () => Promise<Result>) => Promise<Result>;
  record: () => SessionRecord;
  /** The record's epoch and worker are this lease's from now on. */
  onPlaced: (lease: Lease) => void;
  /** Nobody can perform the session. */
  onNowhere: () => void;
};

export class Placing {
  readonly #parts: PlacingParts;
  #lease: Lease | null;
  #search: AbortController | null = null;
  #isClosed = false;

  constructor(lease: Lease | null, parts: PlacingParts) {
    this.#lease = lease;
    this.#parts = parts;
  }

  get lease(): Lease | null {
    return this.#lease;
  }

  get isSearching(): boolean {
    return this.#search !== null;
  }

  /** The worker of its lease is asked to perform the session. */
  begin(): void {
    const lease = this.#lease;
    if (!lease) return;
    this.#assign(lease)
      .then(() => this.#lease ?? this.searchAgain())
      .catch((error: unknown) => this.#giveUp(error));
  }

  /** The worker that performs it is back. */
  claim(lease: Lease): void {
    this.#search?.abort();
    this.#search = null;
    this.#lease = lease;
    this.#parts.fleet.hold(lease).catch((error: unknown) => this.#logError(error, 'hold failed'));
  }

  searchAgain(): void {
    const lease = this.#lease;
    this.#lease = null;
    if (lease) this.#free(lease);
    if (this.#search || this.#isClosed) return;
    const search = new AbortController();
    this.#search = search;
    const { id: sessionId, epoch, workerId } = this.#parts.record();
    this.#parts.log.warn({ sessionId, epoch, workerId }, 'session looks for another slot');
    this.#find(search).catch((error: unknown) => this.#giveUp(error));
  }

  /** The session is over: whoever calls gives the lease back. */
  leave(): Lease | null {
    const lease = this.#lease;
    this.#lease = null;
    this.close();
    return lease;
  }

  close(): void {
    this.#isClosed = true;
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
    const { clock, fleet, record, onPlaced, onNowhere } = this.#parts;
    const { id: sessionId, epoch, transport, avatarId } = record();
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
      onNowhere();
      return false;
    }
    this.#lease = lease;
    // Before it is saved: from here on the older worker's claims and reports are refused.
    onPlaced(lease);
    if (await this.#save(lease)) await this.#assign(lease);
    return true;
  }

  async #save(lease: Lease): Promise<boolean> {
    const { records, inTurn, pauses } = this.#parts;
    const save = async () => {
      if (this.#lease === lease) await records.updatePlacement(lease.sessionId, lease);
    };
    try {
      await inTurn(save);
      return true;
    } catch (error) {
      this.#logError(error, 'placement not saved');
      if (this.#lease === lease) this.#lease = null;
      this.#free(lease);
      await new Promise<void>((resolve) => pauses.after(resolve, resolve));
      return false;
    }
  }

  /** Afterwards the lease is gone when the worker declined. */
  async #assign(lease: Lease): Promise<void> {
    if (this.#lease !== lease) return;
    const { sessionId, epoch, workerId } = lease;
    const record = this.#parts.record();
    const { transport, avatarId, video, signals } = record;
    this.#parts.log.info({ sessionId, epoch, workerId }, 'session placed');
    const room = { url: record.roomUrl, token: record.renewedToken ?? record.roomToken };
    const job = { transport, room, avatarId, video, ...(signals.length > 0 && { signals }) };
    const answer = await this.#parts.fleet.assign(lease, job);
    // Whether a worker that is gone performs it shows when it comes back, or when it is declared lost.
    if (answer === 'declined' && this.#lease === lease) this.#lease = null;
  }

  /** A fleet that fails where it must not is a bug; no session may hang on it. */
  #giveUp(error: unknown): void {
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
