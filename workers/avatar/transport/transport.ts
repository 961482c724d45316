import type { SpeechFormat } from '#protocol/audio.ts';
import type { EndReason } from '#protocol/end-reasons.ts';

/** Other participants in the room. */
export type Presence = {
  agentHere: boolean;
  participants: number;
  /** Identity of the agent that is expected; null: not known. Absent: none comes to the room. */
  agentName?: string | null | undefined;
};

/**
 * Receives the room's events. Streams have ids, because chunks of one may arrive after the
 * header of the next and after `clear`, which overtakes all data.
 */
export interface RoomListener {
  /** A new segment. */
  begin(stream: string, format: SpeechFormat): void;
  /** Samples of that segment. Chunks may end within a sample. */
  chunk(stream: string, bytes: Uint8Array): void;
  end(stream: string): void;
  /**
   * Audio of the agent's track, silence included: mono PCM at `AUDIO_RATE` in whole steps. Ends
   * with the agent's first stream.
   */
  voice(samples: Int16Array): void;
  /** The track is muted, gone or no longer used. */
  voiceEnded(): void;
  /** The agent was interrupted: silence all speech. */
  clear(): void;
  /** Whether a segment is not finished yet. */
  hasOpen(): boolean;
  /** A data packet of the agent. `topic` is empty if it has none. */
  packet(topic: string, bytes: Uint8Array): void;
  /** The media server issued a token that expires later than the current one. */
  renewed(token: string): void;
  /** The agent began or stopped listening to a user. */
  listens(isListening: boolean): void;
  /** A participant joined or left. Also called once on joining. */
  present(presence: Presence): void;
  /** On a takeover: the agent has its answers, and its speech is accepted from now on. */
  answered(): void;
}

/** State left by the session's previous worker. */
export type Takeover = {
  /**
   * Finished towards the agent before its speech is accepted, so that both count the same segments.
   */
  unanswered: PlaybackFinished[];
  /** The agent sends streams, so its track is not used. */
  byStreams: boolean;
};

export type PlaybackFinished = { positionSeconds: number; interrupted: boolean };

export type PictureSize = { width: number; height: number };

/** One avatar's connection to one room. */
export interface Transport {
  /**
   * Joins with all handlers registered. Rejects with `LeftRoom` if the room refuses. On a takeover,
   * `answered` may follow later: the picture need not wait for it.
   */
  join(listener: RoomListener, takeover?: Takeover): Promise<void>;
  /** Publishes both tracks. The video track starts with the last frame shown before. */
  publish(): Promise<void>;
  /**
   * Resolves when a participant receives the audio, or has had the time to. Speech played before
   * would lose its beginning.
   */
  readonly audible: Promise<void>;
  /**
   * Queues mono PCM at `AUDIO_RATE`, in whole steps. The source plays by itself; when it runs dry
   * it sends silence for about 100 ms, then nothing. The transport owns the array afterwards.
   * `onTaken` is called when `AUDIO_QUEUE_MS` or less is queued, sometimes a few milliseconds late;
   * not after `clearAudio`.
   */
  playAudio(samples: Int16Array, onTaken: () => void): void;
  /** Queues silence between utterances. It only keeps a viewer's jitter buffer steady. */
  playSilence(samples: number): void;
  /** Drops all queued audio. */
  clearAudio(): void;
  /** Delay until audio that is given to an empty source begins to play. */
  readonly startDelayMs: number;
  /** How much later than video of the same time a viewer plays audio. */
  readonly audioDelayMs: number;
  /** Whether frames may be smaller than the session's size. */
  readonly showsSmaller: boolean;
  /**
   * Sends one I420 frame, copied before this returns. `atMs` is media time on the session's clock.
   */
  showFrame(i420: Uint8Array, atMs: number, size: PictureSize): void;
  /** These two report to the agent. They never fail. */
  playbackStarted(): void;
  playbackFinished(event: PlaybackFinished): void;
  /** This worker plays no further speech: a successor does. Absent: the room need not know. */
  released?(): void;
  /** Resolves when the room ends the connection. Rejects with `TracksNotTaken`. */
  readonly ended: Promise<EndReason>;
  close(): Promise<void>;
}

/** With more than this queued, the audio source makes its caller wait. */
export const AUDIO_QUEUE_MS = 500;

/** The media server took no tracks in time, or gets nothing of them: nothing is shown. */
export class TracksNotTaken extends Error {
  override readonly name = 'TracksNotTaken';
}

/** The room refused this worker or ended its connection. */
export class LeftRoom extends Error {
  override readonly name = 'LeftRoom';
  readonly reason: EndReason;
  /** For the session's owner. */
  readonly detail: string | undefined;

  constructor(reason: EndReason, options: ErrorOptions & { detail?: string } = {}) {
    super(`left the room: ${reason}`, options);
    this.reason = reason;
    this.detail = options.detail;
  }
}
