/* Plays the avatar's video and audio in the page's elements, and detects the loss of the video. */
import {
  RoomEvent,
  Track,
  type RemoteParticipant,
  type RemoteTrack,
  type Room,
} from 'livekit-client';
import { OPACITY_TRACK } from '#protocol/room-terms.ts';
import { Hush } from '../sound/hush.ts';
import type { SoundLevel } from '../sound/sound-level.ts';
import { keyPicture } from './keyed-picture.ts';
import { watchVideo, type PictureEvents, type PictureWatch } from './picture-watch.ts';

export type MediaElements = {
  video: HTMLVideoElement;
  audio: HTMLAudioElement;
  /** Shows the video of an avatar without a background. `data-keyed`: it is in use. */
  canvas: HTMLCanvasElement;
};

type Parts = {
  room: Room;
  isAvatar: (participant: RemoteParticipant) => boolean;
  elements: MediaElements;
  /** Measures the level of the avatar's voice. */
  level: SoundLevel;
  events: PictureEvents & { onSoundBlocked(isBlocked: boolean): void };
};

export class AvatarView {
  readonly #parts: Parts;
  readonly #watch: PictureWatch;
  readonly #hush: Hush;
  #endKeying: (() => void) | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { room, isAvatar, elements, level, events } = parts;
    this.#watch = watchVideo(elements.video, events);
    this.#hush = new Hush(elements.audio, level);
    room.on(RoomEvent.TrackSubscribed, (track, { trackName }, participant) => {
      if (!isAvatar(participant)) return;
      this.#show(track);
      if (track.kind === Track.Kind.Video) this.#key(trackName === OPACITY_TRACK);
    });
    room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach());
    room.on(RoomEvent.AudioPlaybackStatusChanged, () =>
      events.onSoundBlocked(!room.canPlaybackAudio),
    );
  }

  /** False before the first picture and while the video is frozen. */
  get isSeen(): boolean {
    return this.#watch.isSeen;
  }

  /** Mutes the rest of an interrupted sentence. */
  hush(): void {
    this.#hush.begin();
  }

  /** Must be called from a click handler, or browsers block the audio. */
  async allowSound(): Promise<void> {
    await Promise.all([this.#parts.room.startAudio(), this.#parts.level.wake()]);
  }

  /** Frees the elements for the next call. */
  close(): void {
    const { elements } = this.#parts;
    this.#watch.close();
    this.#hush.end();
    this.#stopKeying();
    elements.video.srcObject = null;
    elements.audio.srcObject = null;
  }

  #key(hasOpacity: boolean): void {
    const { video, canvas } = this.#parts.elements;
    this.#stopKeying();
    if (!hasOpacity) return;
    canvas.dataset['keyed'] = 'true';
    this.#endKeying = keyPicture(video, canvas);
  }

  #stopKeying(): void {
    this.#endKeying?.();
    this.#endKeying = null;
    delete this.#parts.elements.canvas.dataset['keyed'];
  }

  #show(track: RemoteTrack): void {
    const { elements, level } = this.#parts;
    if (track.kind !== Track.Kind.Audio) return void track.attach(elements.video);
    track.attach(elements.audio);
    level.listen(track.mediaStreamTrack);
    void level.wake();
  }
}
