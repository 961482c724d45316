/** The avatar's report on the oldest segment that it has not reported yet. */
export type PlaybackFinished = { positionSeconds: number; interrupted: boolean };

/** One segment of speech for the avatar: 16-bit PCM, mono. */
export type SpeechStream = { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> };

/** The participant that performs the agent's speech. */
export interface AvatarParticipant {
  /**
   * Resolves when its video is published; streams sent earlier are lost. `isReplacement`: another
   * worker has just taken its place. Rejects when the room is left.
   */
  whenVisible(isReplacement: boolean): Promise<void>;
  openStream(sampleRate: number): Promise<SpeechStream>;
  /** Interrupts playback. Rejects if the avatar does not answer. */
  clear(): Promise<void>;
}

/** Parses the payload of `lk.playback_finished`; null if it is invalid. */
export function parsePlaybackFinished(payload: string): PlaybackFinished | null {
  try {
    const { playback_position, interrupted } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof playback_position !== 'number' || typeof interrupted !== 'boolean') return null;
    return { positionSeconds: playback_position, interrupted };
  } catch {
    return null;
  }
}
