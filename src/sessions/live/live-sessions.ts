import type { LiveSession } from './live-session.ts';

/** The live sessions of this control plane, indexed by id, room and worker. */
export class LiveSessions {
  readonly #byId = new Map<string, LiveSession>();
  /** Session ids by `roomKey`. */
  readonly #byRoom = new Map<string, string>();
  readonly #byWorker = new Map<string, Set<LiveSession>>();

  add(session: LiveSession): void {
    const { id, accountId, tokenFingerprint } = session.record;
    this.#byId.set(id, session);
    this.#byRoom.set(roomKey(accountId, tokenFingerprint), id);
    this.#addToWorker(session, session.lease?.workerId);
  }

  /** The session left worker `from`, if any, for the worker of its lease, if any. */
  moved(session: LiveSession, from: string | undefined): void {
    if (this.#byId.get(session.record.id) !== session) return;
    this.#removeFromWorker(session, from);
    this.#addToWorker(session, session.lease?.workerId);
  }

  delete(id: string): void {
    const session = this.#byId.get(id);
    if (!session) return;
    this.#byId.delete(id);
    this.#removeFromWorker(session, session.lease?.workerId);
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

  #addToWorker(session: LiveSession, workerId: string | undefined): void {
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

const roomKey = (accountId: string, tokenFingerprint: string): string =>
  `${accountId} ${tokenFingerprint}`;
