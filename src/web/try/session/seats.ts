import type { MediaElements } from '../../call/picture/avatar-view.ts';
import type { PictureEvents } from '../../call/picture/picture-watch.ts';
import type { SoundLevel } from '../../call/sound/sound-level.ts';
import type { OpenedSession } from '../service.ts';
import type { Publish } from '../speech/own-speech.ts';
import type { TryEvent } from './try-state.ts';

/** Where the avatar is seen and heard. */
export type Stage = MediaElements & { canvas: HTMLCanvasElement; level: SoundLevel };

export type SeatEvents = PictureEvents & {
  dispatch: (event: TryEvent) => void;
  /** The connection ended, not by `close`. */
  onLost: (error: Error) => void;
};

/** The page's places in a session, by one transport: the bot that speaks, and the viewer. */
export interface Seats {
  join(opened: OpenedSession): Promise<void>;
  /** Queues an utterance. `voice`: the id of a built-in voice. */
  say(id: number, text: string, voice: string): void;
  voice: Publish;
  /** The avatar speaks no more tracks in this session. */
  readonly isTextOnly: boolean;
  /** False before the first picture and while it is frozen. */
  readonly isSeen: boolean;
  /** Interrupts the speech and drops queued utterances. */
  stop(): Promise<void>;
  /** Must be called from a click handler, or browsers block the audio. */
  allowSound(): Promise<void>;
  close(): Promise<void>;
}
