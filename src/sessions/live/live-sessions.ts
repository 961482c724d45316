/*
 * The live sessions that this control plane owns, by id, room and worker. Makes them live, claims
 * and releases their ownership, and closes them.
 */
import { hash } from 'node:crypto';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { Lease } from '../../fleet/fleet.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import { seatOf } from '../../rooms/seat.ts';
import type { SharedSeats } from '../cluster/shared-seats.ts';
import type { LivePlace } from '../reconciliation/diff.ts';
import { LiveSession, type LiveSessionParts } from './live-session.ts';

export type LiveSessionsParts = LiveSessionParts & {
  /** Set when several control planes share the sessions. */
  seats?: SharedSeats | undefined;
};

export class LiveSessions {
  readonly #parts: LiveSessionsParts;
  readonly #byId = new Map<string, LiveSession>();
  /** Session ids by `roomKey`. */
  readonly #byRoom = new Map<string, string>();
  /** Sessions of faces by account and seat; the newest one of each. */
  readonly #bySeat = new Map<string, LiveSession>();
  readonly #byWorker = new Map<string, Set<LiveSession>>();
  /** Sessions that another control plane owns now. */
  readonly #closing = new Set<Promise<void>>();
  readonly #onSuperseded = new Set<(sessionId: string) => void>();

  constructor(parts: LiveSessionsParts) {
    this.#parts = parts;
    parts.ownership?.onTakenOver((id) =>
      this.#drop(id, 'session is owned by another control plane'),
    );
    parts.seats?.answer((seat) => this.#bySeat.get(seat)?.speech ?? null);
  }

  /** Makes the session live, so that worker reports find it. */
  add(record: SessionRecord, lease: Lease | null): LiveSession {
    const session = new LiveSession({ record, lease, index: this }, this.#parts);
    this.#takeSeat(session);
    const { id, accountId, tokenFingerprint } = record;
    this.#byId.set(id, session);
    this.#byRoom.set(roomKey(accountId, tokenFingerprint), id);
    this.#addToWorker(session);
    this.#updateOwnership(id, (ownership) => ownership.claim(id));
    return session;
  }

  /** A new session may also replace the face of another control plane. */
  async takeSharedSeat(session: LiveSession): Promise<void> {
    const seat = seatKey(session.record);
    const speech = seat === null ? null : await this.#parts.seats?.find(seat);
    if (speech) session.takeSpeech(speech);
  }

  /** The session left the worker, if any, for the worker of its lease, if any. */
  moved(session: LiveSession, workerId: string | undefined): void {
    if (this.#byId.get(session.record.id) !== session) return;
    this.#removeFromWorker(session, workerId);
    this.#addToWorker(session);
  }

  /** The session is completed, or was not saved. */
  remove({ id }: SessionRecord): void {
    this.#delete(id);
    this.#updateOwnership(id, (ownership) => ownership.release(id));
  }

  /** The records have a newer placement: the session is to be read again. */
  superseded(session: LiveSession): void {
    const { id } = session.record;
    if (this.#byId.get(id) !== session) return;
    if (session.lease) void this.#free(session.lease);
    this.#drop(id, 'session was placed by another control plane');
    this.#updateOwnership(id, (ownership) => ownership.release(id));
    for (const listener of this.#onSuperseded) listener(id);
  }

  onSuperseded(listener: (sessionId: string) => void): void {
    this.#onSuperseded.add(listener);
  }

  get(id: string): LiveSession | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Whether a live session of the account uses this room. */
  hasRoom(accountId: string, tokenFingerprint: string): boolean {
    return this.#byRoom.has(roomKey(accountId, tokenFingerprint));
  }

  ofWorker(workerId: string): LiveSession[] {
    return [...(this.#byWorker.get(workerId) ?? [])];
  }

  values(): Iterable<LiveSession> {
    return this.#byId.values();
  }

  /** For the reconciler. */
  places(): LivePlace[] {
    return [...this.#byId.values()].map(({ record: { id, epoch, builtInRoom }, lease }) => ({
      id,
      epoch,
      builtInRoom,
      lease,
    }));
  }

  /** Sessions continue in their rooms; the next start recovers them from the records. */
  async close(): Promise<void> {
    await Promise.all([...this.#byId.values()].map((session) => session.close()));
    this.#byId.clear();
    this.#byRoom.clear();
    this.#bySeat.clear();
    this.#byWorker.clear();
    await Promise.all(this.#closing);
  }

  /** Another control plane took the session over while this one, or Redis, was away. */
  #drop(id: string, reason: string): void {
    const session = this.#delete(id);
    if (!session) return;
    this.#parts.log.warn({ sessionId: id }, reason);
    const closing = session.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** The newer placement keeps its slot. */
  async #free(lease: Lease): Promise<void> {
    const { fleet, log } = this.#parts;
    await fleet.free(lease).catch((err: unknown) => log.warn({ ...lease, err }, 'slot not freed'));
  }

  #delete(id: string): LiveSession | undefined {
    const session = this.#byId.get(id);
    if (!session) return undefined;
    this.#byId.delete(id);
    this.#removeFromWorker(session, session.lease?.workerId);
    const { accountId, tokenFingerprint } = session.record;
    const room = roomKey(accountId, tokenFingerprint);
    if (this.#byRoom.get(room) === id) this.#byRoom.delete(room);
    const seat = seatKey(session.record);
    if (seat !== null && this.#bySeat.get(seat) === session) this.#bySeat.delete(seat);
    return session;
  }

  /** A new session replaces the face in its seat, and answers for what that one has not played. */
  #takeSeat(session: LiveSession): void {
    const seat = seatKey(session.record);
    if (seat === null) return;
    const speech = this.#bySeat.get(seat)?.speech;
    if (speech && session.isPlaced) session.takeSpeech(speech);
    this.#bySeat.set(seat, session);
  }

  /** Not awaited: SessionOwnership repeats what failed when Redis is back. */
  #updateOwnership(
    sessionId: string,
    update: (ownership: SessionOwnership) => Promise<unknown>,
  ): void {
    const { ownership, log } = this.#parts;
    if (!ownership) return;
    update(ownership).catch((error: unknown) =>
      log.warn({ sessionId, err: error }, 'session ownership not updated'),
    );
  }

  #addToWorker(session: LiveSession): void {
    const workerId = session.lease?.workerId;
    if (workerId === undefined) return;
    const placed = this.#byWorker.get(workerId);
    if (placed) placed.add(session);
    else this.#byWorker.set(workerId, new Set([session]));
  }

  #removeFromWorker(session: LiveSession, workerId: string | undefined): void {
    if (workerId === undefined) return;
    const placed = this.#byWorker.get(workerId);
    placed?.delete(session);
    if (placed?.size === 0) this.#byWorker.delete(workerId);
  }
}

/** A hash: callers name their rooms. Null for a room of ours, which has one session. */
function seatKey(record: SessionRecord): string | null {
  if (record.kind !== 'avatar' || record.speech !== null || record.builtInRoom !== null)
    return null;
  const seat = seatOf(record);
  return seat === null ? null : hash('sha256', `${record.accountId} ${seat}`);
}

const roomKey = (accountId: string, tokenFingerprint: string): string =>
  `${accountId} ${tokenFingerprint}`;
