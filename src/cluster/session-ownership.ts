/**
 * owned      this node is the owner
 * elsewhere  another live node owns the session
 * unclear    Redis has lost its data, and the owner may not have claimed the session again yet
 */
export type Adoption = 'owned' | 'elsewhere' | 'unclear';

/**
 * Which node owns a live session. The owner keeps its state; another node may hold the worker's
 * socket.
 */
export interface SessionOwnership {
  /**
   * Makes this node the owner of a session that it has. False: another live node owns the session.
   */
  claim(sessionId: string): Promise<boolean>;
  /** Makes this node the owner of a session that it knows from the records only. */
  adopt(sessionId: string): Promise<Adoption>;
  /**
   * Another node has taken over a session of this one, which was away for a while and must drop it.
   */
  onTakenOver(listener: (sessionId: string) => void): void;
  /** Gives up ownership, for example when the session has ended. */
  release(sessionId: string): Promise<void>;
  /** The owner, which may be gone; null if the session has none. */
  ownerOf(sessionId: string): Promise<string | null>;
  /** The sessions that `node` owns, or owned when it went away. */
  ownedBy(node: string): Promise<string[]>;
}
