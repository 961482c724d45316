/** Which control plane a live session lives at: it keeps the session's state, whoever holds the socket of its worker. */
export interface SessionOwnership {
  /** It lives here from now on. False: it lives at another one that is there. */
  settle(sessionId: string): Promise<boolean>;
  /** Told when a session that lived here is found to live at another one: this one was away for a while, and is not to touch it any more. */
  onElsewhere(listener: (sessionId: string) => void): void;
  /** It is over, or was never there. */
  leave(sessionId: string): Promise<void>;
  /** Null: nowhere. The one that is named may be gone. */
  of(sessionId: string): Promise<string | null>;
  /** All that live, or lived, at this control plane. */
  at(node: string): Promise<string[]>;
}
