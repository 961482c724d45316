import { AUDIO_RATE } from '#protocol/audio.ts';
import type { EndReason } from '#protocol/end-reasons.ts';

/** How a segment's PCM is sent: interleaved 16-bit little-endian samples. */
export type SpeechFormat = { sampleRate: number; channels: number };

/** Who else is in the room. */
export type Presence = { agentHere: boolean; others: number };

/**
 * What comes in from the room. Streams have ids: what is left of an old one may arrive after the next one's header, and after a `clear`.
 * `clear` overtakes everything.
 */
export interface RoomListener {
  /** A new utterance. */
  begin(stream: string, format: SpeechFormat): void;
  /** Samples of that utterance; chunks need not end on a sample. */
  chunk(stream: string, bytes: Uint8Array): void;
  end(stream: string): void;
  /**
   * The sound of the agent's own track as it comes, whole stretches of 10 ms of mono PCM at `AUDIO_RATE`; silence too. Only until the agent
   * sends its first stream.
   */
  voice(samples: Int16Array): void;
  /** That track is muted or gone, or no longer listened to. */
  voiceOver(): void;
  /** The agent was interrupted: nothing more may sound. */
  clear(): void;
  /** Whether a segment is here that the agent has not been told of. */
  hasOpen(): boolean;
  /** A data packet of the agent's; without a topic it is empty. */
  packet(topic: string, bytes: Uint8Array): void;
  /** The media server gave a token that lasts longer than the one before. */
  renewed(token: string): void;
  /** The agent says that it hears somebody out, or no longer. */
  listens(isListening: boolean): void;
  /** Somebody came or went; also called once on joining. */
  present(presence: Presence): void;
}

/** What is known of the worker that performed the session before. */
export type Takeover = {
  /** Told to the agent before any speech of its can come here: from then on its count of segments and ours are the same. */
  unanswered: PlaybackFinished[];
  /** The agent sends streams: its track is not heard. */
  byStreams: boolean;
};

export type PlaybackFinished = { positionSeconds: number; interrupted: boolean };

/** What goes out and how the room ends. One room, one face. */
export interface Transport {
  /** Joins with all handlers in place. Rejects with a `LeftRoom` when the room refuses. */
  join(listener: RoomListener, takeover?: Takeover): Promise<void>;
  /** Publishes both tracks. Frames shown before it are the track's first picture. */
  publish(): Promise<void>;
  /**
   * Mono PCM at `AUDIO_RATE`, whole stretches of 10 ms, played after what was given before. The source plays 10 ms every 10 ms by
   * itself; when it runs dry it sends silence for about 100 ms and then nothing. The array is the transport's from here on.
   * `onTaken` is called once at most `AUDIO_QUEUE_MS` of what was given is left, a few milliseconds late at times; not after `clearAudio`.
   */
  playAudio(samples: Int16Array, onTaken: () => void): void;
  /** Drops what was given but has not left yet. */
  clearAudio(): void;
  /** One I420 picture, copied before this returns; `atMs` is media time on the session's clock. */
  showFrame(i420: Uint8Array, atMs: number): void;
  /** Tells the agent; these two never reject. */
  playbackStarted(): void;
  playbackFinished(event: PlaybackFinished): void;
  /** Resolves once, when the room is over for us from the outside. */
  readonly left: Promise<EndReason>;
  close(): Promise<void>;
}

export { AUDIO_RATE };

/** Above this the audio source keeps whoever gives it more waiting. */
export const AUDIO_QUEUE_MS = 500;

/** The room is over for this worker. */
export class LeftRoom extends Error {
  override readonly name = 'LeftRoom';
  readonly reason: EndReason;

  constructor(reason: EndReason, options?: ErrorOptions) {
    super(`left the room: ${reason}`, options);
    this.reason = reason;
  }
}
