import type { LiveSession } from './live-session.ts';

/** The sessions that live here, by id and by room. */
export class LiveSessions {
  readonly #byId = new Map<string, LiveSession>();
  /** Ids, by account and room. */
  readonly #byRoom = new Map<string, string>();

  add(session: LiveSession): void {
    const { id, accountId, tokenFingerprint } = session.record;
    this.#byId.set(id, session);
    this.#byRoom.set(roomKey(accountId, tokenFingerprint), id);
  }

  delete(id: string): void {
    const session = this.#byId.get(id);
    if (!session) return;
    this.#byId.delete(id);
    const { accountId, tokenFingerprint } = session.record;
    const room = roomKey(accountId, tokenFingerprint);
    if (this.#byRoom.get(room) === id) this.#byRoom.delete(room);
  }

  clear(): void {
    this.#byId.clear();
    this.#byRoom.clear();
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

  values(): Iterable<LiveSession> {
    return this.#byId.values();
  }

  entries(): Iterable<[id: string, LiveSession]> {
    return this.#byId.entries();
  }
}

const roomKey = (accountId: string, tokenFingerprint: string): string =>
  `${accountId} ${tokenFingerprint}`;
