/* Joins the room as a viewer: plays the avatar's video and audio, and detects its loss. */
import { Room, RoomEvent, Track, type RemoteParticipant, type RemoteTrack } from 'livekit-client';
import {
  watchVideo,
  type PictureEvents,
  type PictureWatch,
} from '../../call/picture/picture-watch.ts';
import { PUBLISH_ON_BEHALF } from '#protocol/room-terms.ts';

type ViewerEvents = PictureEvents & {
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
    this.#watch = watchVideo(video, events);
  }

  /** False before the first picture and while the video is frozen. */
  get isSeen(): boolean {
    return this.#watch.isSeen;
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token);
  }

  /** Must be called from a click handler, or browsers block the audio. */
  async allowSound(): Promise<void> {
    await this.room.startAudio();
  }

  async close(): Promise<void> {
    this.#watch.close();
    // Before disconnecting: the next session reuses the elements.
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

/** Only avatars speak on behalf of an agent. */
const isAvatar = (participant: RemoteParticipant): boolean =>
  PUBLISH_ON_BEHALF in participant.attributes;
