import type { Room } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import { onSoundSubscribed, SUBSCRIBE_MS } from './first-listener.ts';
import type { RoomSpeaker } from './room-speaker.ts';
import { speechTo, type SpeechLink } from '../speech-link.ts';
import type { PlaybackFinished, RoomListener, Takeover } from '../transport.ts';
import { VisitorTrack } from './visitor-track.ts';
import type { OpenSound } from './voice-track.ts';

type Parts = {
  room: Pick<Room, 'on' | 'remoteParticipants' | 'localParticipant'>;
  link: SpeechLink;
  clock: Clock;
  log: Log;
  /** Replaced by tests that have no media server. */
  openSound?: OpenSound;
};

/**
 * A source of speech elsewhere, for an avatar in a LiveKit room. The room's participants are its
 * audience, agents included; the link gets the microphone of one. Owns the link.
 */
export class LinkedSpeaker implements RoomSpeaker {
  readonly #parts: Parts;
  #visitor: VisitorTrack | null = null;
  #isHere = false;
  #isPublished = false;
  /** A participant has subscribed to the sound, or has had the time to. */
  #isHeard = false;
  #isVisited: boolean | null = null;
  #cancelWait: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get ended(): Promise<EndReason> {
    return this.#parts.link.ended;
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  get listeners(): number {
    return this.#parts.room.remoteParticipants.size;
  }

  open(
    listener: RoomListener,
    _takeover: Takeover | undefined,
    onChange: () => void,
  ): Promise<void> {
    const onPresent = (isHere: boolean) => {
      this.#isHere = isHere;
      onChange();
    };
    return this.#parts.link.open(speechTo(listener, onPresent));
  }

  /** Links await no answers for what a previous worker did not play. */
  joined(listener: RoomListener, takeover: Takeover | undefined): void {
    const { link, ...parts } = this.#parts;
    onSoundSubscribed(parts.room, () => this.#heard());
    if (link.hear) {
      this.#visitor = new VisitorTrack({ ...parts, hear: (samples) => link.hear?.(samples) });
      this.#visitor.update();
    }
    this.changed();
    if (takeover) listener.answered();
  }

  published(): void {
    const { link, room } = this.#parts;
    this.#isPublished = true;
    link.shown(room.localParticipant!.identity);
    this.changed();
  }

  changed(): void {
    if (this.#isClosed) return;
    const { room, clock } = this.#parts;
    const hasOthers = room.remoteParticipants.size > 0;
    if (!hasOthers || this.#isHeard) this.#stopWait();
    else if (this.#isPublished) this.#cancelWait ??= clock.after(SUBSCRIBE_MS, () => this.#heard());
    this.#tell(hasOthers && this.#isHeard);
  }

  playbackStarted(): void {
    this.#parts.link.playbackStarted();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#parts.link.playbackFinished(event);
  }

  released(): void {
    this.#parts.link.released?.();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWait();
    this.#visitor?.close();
    await this.#parts.link.close();
  }

  #heard(): void {
    this.#isHeard = true;
    this.changed();
  }

  #stopWait(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  #tell(isVisited: boolean): void {
    if (isVisited === this.#isVisited) return;
    this.#isVisited = isVisited;
    this.#parts.link.visited?.(isVisited);
  }
}
