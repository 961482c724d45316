/* Plays the avatar's video and audio in the page's elements, and detects the loss of the video. */
import { Track, type RemoteTrack } from 'livekit-client';
import { watchVideo, type PictureWatch } from './picture-watch.ts';
import { Hush } from '../sound/hush.ts';
import { SoundLevel } from '../sound/sound-level.ts';

export type Stage = { video: HTMLVideoElement; audio: HTMLAudioElement };

export class AvatarView {
  readonly #stage: Stage;
  readonly #watch: PictureWatch;
  readonly #voice = new SoundLevel();
  readonly #hush: Hush;

  /** `onChange` is called when `isSeen` changes. */
  constructor(stage: Stage, onChange: () => void) {
    this.#stage = stage;
    this.#watch = watchVideo(stage.video, { onPicture: onChange, onGone: onChange });
    this.#hush = new Hush(stage.audio, this.#voice);
  }

  /** False before the first picture and while the video is frozen. */
  get isSeen(): boolean {
    return this.#watch.isSeen;
  }

  show(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio) return void track.attach(this.#stage.video);
    track.attach(this.#stage.audio);
    this.#voice.listen(track.mediaStreamTrack);
    void this.#voice.wake();
  }

  /** Mutes the rest of an interrupted sentence. */
  hush(): void {
    this.#hush.begin();
  }

  /** Must be called from a click handler, or browsers block the audio. */
  async allowSound(): Promise<void> {
    await this.#voice.wake();
  }

  close(): void {
    this.#watch.close();
    this.#hush.end();
    void this.#voice.close();
    this.#stage.video.srcObject = null;
    this.#stage.audio.srcObject = null;
  }
}
