import type { EndReason } from '#protocol/end-reasons.ts';
import type { PlaybackFinished, RoomListener } from './transport.ts';

/** Receives speech as a `RoomListener` does, from one source. */
export interface SpeechListener extends Pick<
  RoomListener,
  'begin' | 'chunk' | 'end' | 'clear' | 'listens'
> {
  /** Whether the other end is there. Called once on opening, and on every change. */
  present(isHere: boolean): void;
}

/** Passes the speech of a link on to its room's listener. */
export const speechTo = (
  listener: RoomListener,
  onPresent: (isHere: boolean) => void,
): SpeechListener => ({
  begin: (stream, format) => listener.begin(stream, format),
  chunk: (stream, bytes) => listener.chunk(stream, bytes),
  end: (stream) => listener.end(stream),
  // Bots interrupt whenever their user speaks.
  clear: () => listener.hasOpen() && listener.clear(),
  listens: (isListening) => listener.listens(isListening),
  present: onPresent,
});

/**
 * Where a session's speech comes from, if not from the agent in its room. Its listener's streams
 * have ids of their own: no two segments of a link share one.
 */
export interface SpeechLink {
  /** Connects. Rejects with `LeftRoom` if the other end refuses or does not answer in time. */
  open(listener: SpeechListener): Promise<void>;
  /**
   * The avatar is in its room, as this participant. Called once, after `open`: the other end may
   * speak.
   */
  shown(identity: string): void;
  /**
   * Whether a visitor is in the room who hears the avatar. Called on joining the room and on every
   * change, also before `shown`. Absent: the other end need not know.
   */
  visited?(isVisited: boolean): void;
  /**
   * The visitor's microphone: mono PCM at `HEARING_RATE` in blocks of 20 ms, silence included. The
   * link owns the array afterwards. Absent: the microphone is not read.
   */
  hear?(samples: Int16Array): void;
  /** These two report to the other end. They never fail. */
  playbackStarted(): void;
  playbackFinished(event: PlaybackFinished): void;
  /** This worker plays no further speech: a successor does. Absent: the other end need not know. */
  released?(): void;
  /** Resolves when the other end ends the session. Rejects with `LeftRoom` to say more. */
  readonly ended: Promise<EndReason>;
  close(): Promise<void>;
}
