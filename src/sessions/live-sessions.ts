import type { LiveSession } from './live-session.ts';

/** The sessions that live here, by id, by room and by the worker at which they are placed. */
export class LiveSessions {
  readonly #byId = new Map<string, LiveSession>();
  /** Ids, by account and room. */
  readonly #byRoom = new Map<string, string>();
  readonly #byWorker = new Map<string, Set<LiveSession>>();

  add(session: LiveSession): void {
    const { id, accountId, tokenFingerprint } = session.record;
    this.#byId.set(id, session);
    this.#byRoom.set(roomKey(accountId, tokenFingerprint), id);
    this.#arrive(session, session.lease?.workerId);
  }

  /** One of them has left this worker, undefined: none, for the one of its lease. */
  moved(session: LiveSession, from: string | undefined): void {
    if (this.#byId.get(session.record.id) !== session) return;
    this.#leave(session, from);
    this.#arrive(session, session.lease?.workerId);
  }

  delete(id: string): void {
    const session = this.#byId.get(id);
    if (!session) return;
    this.#byId.delete(id);
    this.#leave(session, session.lease?.workerId);
    const { accountId, tokenFingerprint } = session.record;
    const room = roomKey(accountId, tokenFingerprint);
    if (this.#byRoom.get(room) === id) this.#byRoom.delete(room);
  }

  clear(): void {
    this.#byId.clear();
    this.#byRoom.clear();
    this.#byWorker.clear();
  }

  get(id: string): LiveSession | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Whether one of the account's performs in the room of this token. */
  hasRoom(accountId: string, tokenFingerprint: string): boolean {
    return this.#byRoom.has(roomKey(accountId, tokenFingerprint));
  }

  /** Those placed at this worker now. */
  ofWorker(workerId: string): LiveSession[] {
    return [...(this.#byWorker.get(workerId) ?? [])];
  }

  values(): Iterable<LiveSession> {
    return this.#byId.values();
  }

  #arrive(session: LiveSession, workerId: string | undefined): void {
    if (workerId === undefined) return;
    const there = this.#byWorker.get(workerId);
    if (there) there.add(session);
    else this.#byWorker.set(workerId, new Set([session]));
  }

  #leave(session: LiveSession, workerId: string | undefined): void {
    if (workerId === undefined) return;
    const there = this.#byWorker.get(workerId);
    there?.delete(session);
    if (there?.size === 0) this.#byWorker.delete(workerId);
  }
}

const roomKey = (accountId: string, tokenFingerprint: string): string =>
  `${accountId} ${tokenFingerprint}`;
