/* Sits in the room as the person who watches: shows the avatar's picture, plays its sound, notices when it goes and comes back. */
import { Room, RoomEvent, Track, type RemoteParticipant, type RemoteTrack } from 'livekit-client';
import { PUBLISH_ON_BEHALF } from './room-terms.ts';

export type ViewerEvents = {
  /** A picture is on the screen: the first one, or the first after it stood still. */
  onPicture(): void;
  onSound(track: MediaStreamTrack): void;
  /** The picture stands still: whoever made it is gone, or cannot be reached. */
  onGone(): void;
  onSoundBlocked(isBlocked: boolean): void;
};

/** An avatar moves even when it is silent; 25 pictures a second are expected. */
const STILL_MS = 1500;

export class ViewerSeat {
  readonly room = new Room();
  readonly #video: HTMLVideoElement;
  readonly #audio: HTMLAudioElement;
  readonly #events: ViewerEvents;
  readonly #check: number;
  #lastPictureAt = 0;
  #isSeen = false;
  #isClosed = false;

  constructor(video: HTMLVideoElement, audio: HTMLAudioElement, events: ViewerEvents) {
    this.#video = video;
    this.#audio = audio;
    this.#events = events;
    this.room.on(RoomEvent.TrackSubscribed, (track, _publication, participant) => {
      if (isAvatar(participant)) this.#show(track);
    });
    this.room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach());
    this.room.on(RoomEvent.AudioPlaybackStatusChanged, () =>
      events.onSoundBlocked(!this.room.canPlaybackAudio),
    );
    this.#check = window.setInterval(() => this.#checkPicture(), 250);
    this.#watch();
  }

  /** False while nobody is seen, or the picture stands still. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token);
  }

  /** To be called from a click: browsers let a page sound only then. */
  async allowSound(): Promise<void> {
    await this.room.startAudio();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    window.clearInterval(this.#check);
    // At once: the next session shows itself on the same elements.
    this.#video.srcObject = null;
    this.#audio.srcObject = null;
    await this.room.disconnect();
  }

  #show(track: RemoteTrack): void {
    if (track.kind === Track.Kind.Audio) {
      track.attach(this.#audio);
      this.#events.onSound(track.mediaStreamTrack);
      return;
    }
    track.attach(this.#video);
  }

  /** Runs with every picture shown. A browser draws none for a hidden page: that is no loss of the avatar. */
  #watch(): void {
    const onPicture = () => {
      this.#lastPictureAt = performance.now();
      if (!this.#isSeen) {
        this.#isSeen = true;
        this.#events.onPicture();
      }
      if (!this.#isClosed) this.#video.requestVideoFrameCallback(onPicture);
    };
    this.#video.requestVideoFrameCallback(onPicture);
  }

  #checkPicture(): void {
    if (document.hidden) this.#lastPictureAt = performance.now();
    if (!this.#isSeen || performance.now() - this.#lastPictureAt < STILL_MS) return;
    this.#isSeen = false;
    this.#events.onGone();
  }
}

/** Every avatar speaks for an agent; nobody else in the room does. */
const isAvatar = (participant: RemoteParticipant): boolean =>
  PUBLISH_ON_BEHALF in participant.attributes;
