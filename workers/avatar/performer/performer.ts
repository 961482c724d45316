/** Samples a second of the speech that a performer hears. */
export const HEARING_RATE = 16_000;

/**
 * Audio in, time in, frame out, for one session. All times are media time: milliseconds on the session's one clock, on which speech
 * sounds and frames are shown. Speech is told a little before it sounds (up to some 200 ms when the agent sends it early, 0 when it comes
 * in real time).
 */
export interface Performer {
  /** Mono 16-bit speech at `HEARING_RATE` that begins to sound at `atMs`. Runs may follow each other without a gap; a gap is silence. */
  hear(samples: Int16Array, atMs: number): void;
  /** Speech told for `atMs` and later will not sound: the mouth closes as a mouth does. */
  hush(atMs: number): void;
  /** The face hears somebody out from now on, or no longer. Absent: a face that does not mind. */
  attend?(isListening: boolean): void;
  /** The agent says how the face feels from now on, in its own words: unknown ones change nothing. Absent: a face without moods. */
  feel?(emotion: string): void;
  /**
   * Writes the picture for `atMs` as I420 (Y, U, V planes, packed) into `frame`, which must be the buffer of the last call, with its
   * picture still in it, or one that holds nothing to keep. Returns false when the picture is the same as at the last call, and then leaves `frame` as it is.
   * Times must not go back.
   */
  draw(atMs: number, frame: Uint8Array): boolean;
  close(): void;
}
