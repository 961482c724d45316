/** What the face tells of the oldest segment that it was sent and has not told of. */
export type Finished = { positionSeconds: number; interrupted: boolean };

/** One segment of speech on its way to the face: 16-bit PCM, mono. */
export type SpeechStream = { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> };

/** The participant that shows and sounds what is said. */
export interface Face {
  /** Resolves when it is in the room and seen: what it is sent before is lost. `anew`: another worker has just taken its place. Rejects when the room is left. */
  shown(anew: boolean): Promise<void>;
  openStream(sampleRate: number): Promise<SpeechStream>;
  /** It is to fall silent. Rejects when it does not answer. */
  clear(): Promise<void>;
}

/** The payload of `lk.playback_finished`; null when it does not read. */
export function parseFinished(payload: string): Finished | null {
  try {
    const { playback_position, interrupted } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof playback_position !== 'number' || typeof interrupted !== 'boolean') return null;
    return { positionSeconds: playback_position, interrupted };
  } catch {
    return null;
  }
}
