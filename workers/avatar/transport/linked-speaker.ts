import type { Room } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { RoomSpeaker } from './room-speaker.ts';
import type { SpeechLink } from './speech-link.ts';
import type { PlaybackFinished, RoomListener, Takeover } from './transport.ts';
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
  #isVisited: boolean | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get left(): Promise<EndReason> {
    return this.#parts.link.left;
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  open(
    listener: RoomListener,
    _takeover: Takeover | undefined,
    onChange: () => void,
  ): Promise<void> {
    return this.#parts.link.open({
      begin: (stream, format) => listener.begin(stream, format),
      chunk: (stream, bytes) => listener.chunk(stream, bytes),
      end: (stream) => listener.end(stream),
      // Bots interrupt whenever their user speaks.
      clear: () => listener.hasOpen() && listener.clear(),
      listens: (isListening) => listener.listens(isListening),
      present: (isHere) => {
        this.#isHere = isHere;
        onChange();
      },
    });
  }

  /** Links await no answers for what a previous worker did not play. */
  joined(listener: RoomListener, takeover: Takeover | undefined): void {
    const { link, ...parts } = this.#parts;
    if (link.hear) {
      this.#visitor = new VisitorTrack({ ...parts, hear: (samples) => link.hear?.(samples) });
      this.#visitor.update();
    }
    this.changed();
    if (takeover) listener.answered();
  }

  published(): void {
    const { link, room } = this.#parts;
    link.shown(room.localParticipant!.identity);
  }

  changed(): void {
    const isVisited = this.#parts.room.remoteParticipants.size > 0;
    if (isVisited === this.#isVisited) return;
    this.#isVisited = isVisited;
    this.#parts.link.visited?.(isVisited);
  }

  playbackStarted(): void {
    this.#parts.link.playbackStarted();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#parts.link.playbackFinished(event);
  }

  async close(): Promise<void> {
    this.#visitor?.close();
    await this.#parts.link.close();
  }
}
