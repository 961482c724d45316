import type { EndReason } from '#protocol/end-reasons.ts';
import type { PlaybackFinished, RoomListener, Takeover } from '../transport.ts';

/** Whose speech the avatar in a LiveKit room speaks: the agent there, or a link to elsewhere. */
export interface RoomSpeaker {
  /** Before joining the room. `onChange`: the speaker came or left by another way than the room. */
  open(listener: RoomListener, takeover: Takeover | undefined, onChange: () => void): Promise<void>;
  /** The room is joined. */
  joined(listener: RoomListener, takeover: Takeover | undefined): void;
  /** The avatar is shown. */
  published(): void;
  /** A participant joined or left the room. */
  changed(): void;
  readonly isHere: boolean;
  /** As in `Presence`. */
  readonly agentName?: string | null;
  /** Participants that the speech is for. */
  readonly listeners: number;
  playbackStarted(): void;
  playbackFinished(event: PlaybackFinished): void;
  /** As in `Transport`. */
  released?(): void;
  /** Resolves when the speaker ends the session. */
  readonly ended: Promise<EndReason>;
  close(): Promise<void>;
}
