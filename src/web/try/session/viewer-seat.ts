/* Sits in the room as the person who watches: shows the avatar's picture, plays its sound, notices when it goes and comes back. */
import { Room, RoomEvent, Track, type RemoteParticipant, type RemoteTrack } from 'livekit-client';
import { PictureWatch, type PictureEvents } from '../../picture/picture-watch.ts';
import { PUBLISH_ON_BEHALF } from '#protocol/room-terms.ts';

export type ViewerEvents = PictureEvents & {
  onSound(track: MediaStreamTrack): void;
  onSoundBlocked(isBlocked: boolean): void;
};

export class ViewerSeat {
  readonly room = new Room();
  readonly #video: HTMLVideoElement;
  readonly #audio: HTMLAudioElement;
  readonly #events: ViewerEvents;
  readonly #watch: PictureWatch;

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
    this.#watch = new PictureWatch(video, events);
  }

  /** False while nobody is seen, or the picture stands still. */
  get isSeen(): boolean {
    return this.#watch.isSeen;
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token);
  }

  /** To be called from a click: browsers let a page sound only then. */
  async allowSound(): Promise<void> {
    await this.room.startAudio();
  }

  async close(): Promise<void> {
    this.#watch.close();
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
}

/** Every avatar speaks for an agent; nobody else in the room does. */
const isAvatar = (participant: RemoteParticipant): boolean =>
  PUBLISH_ON_BEHALF in participant.attributes;
