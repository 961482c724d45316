/** An admitted client. */
export type ConnectedClient = {
  sessionId: string;
  /** Rate of the client's PCM. */
  sampleRate: number;
  /**
   * Participant identity of the avatar in the caller's room. Null: the client gets its pictures.
   */
  identity: string | null;
  /** Fields of `sessionReady` for the client's program. */
  notes: Record<string, unknown>;
};
