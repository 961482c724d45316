import type { EndReason } from '#shared/end-reasons.ts';

/** How a segment's PCM is sent: interleaved 16-bit little-endian samples. */
export type SpeechFormat = { sampleRate: number; channels: number };

/** What comes in from the room. The end of a segment travels in order with its chunks; `clear` overtakes them. */
export interface SpeechListener {
  /** A new utterance. One that is still open is ended by this: its trailer was lost. */
  begin(format: SpeechFormat): void;
  /** Samples of the open segment; chunks need not end on a sample. */
  chunk(bytes: Uint8Array): void;
  end(): void;
  /** The agent was interrupted: nothing more may sound. */
  clear(): void;
}

/** What goes out and how the room ends. One room, one face. */
export interface Transport {
  /** Joins, registers all handlers, publishes both tracks. Rejects with a `LeftRoom` when the room refuses. */
  join(listener: SpeechListener): Promise<void>;
  /** 10 ms of mono PCM at `AUDIO_RATE`, to be heard at once. Resolves when the outgoing queue has taken it. */
  playAudio(samples: Int16Array): Promise<void>;
  /** Empties what was taken but has not left yet; returns how many samples that were. */
  clearAudio(): number;
  /** One I420 picture; `atMs` is media time on the session's clock. */
  showFrame(i420: Uint8Array, atMs: number): void;
  playbackStarted(): Promise<void>;
  playbackFinished(event: { positionSeconds: number; interrupted: boolean }): Promise<void>;
  /** Fires once, when the room is over for us from the outside. */
  readonly left: Promise<EndReason>;
  close(): Promise<void>;
}

/** Samples a second of everything that leaves a worker. */
export const AUDIO_RATE = 48_000;

/** The room is over for this worker. */
export class LeftRoom extends Error {
  override readonly name = 'LeftRoom';
  readonly reason: EndReason;

  constructor(reason: EndReason, options?: ErrorOptions) {
    super(`left the room: ${reason}`, options);
    this.reason = reason;
  }
}
