/**
 * Which node owns a live session. The owner keeps its state; another node may hold the worker's
 * socket.
 */
export interface SessionOwnership {
  /** Makes this node the owner. False: another live node owns the session. */
  claim(sessionId: string): Promise<boolean>;
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
