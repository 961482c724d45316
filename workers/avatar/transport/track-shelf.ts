import { AudioSource, LocalAudioTrack, LocalVideoTrack, VideoSource } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import { type Sight, trackOf } from '#protocol/pictures/frames.ts';
import { AUDIO_RATE } from '#protocol/audio.ts';
import { AUDIO_QUEUE_MS, type PictureSize } from './transport.ts';

/** After this long the SDK, which works in the background, has left the old room. */
const REST_MS = 2_000;

/** The audio and video track of one avatar, used in one room at a time. */
export class AvatarTracks {
  readonly size: PictureSize;
  readonly name: string;
  readonly audio = new AudioSource(AUDIO_RATE, 1, AUDIO_QUEUE_MS);
  readonly video: VideoSource;
  readonly audioTrack = LocalAudioTrack.createAudioTrack('avatar_audio', this.audio);
  readonly videoTrack: LocalVideoTrack;

  constructor(sight: Sight) {
    const { width, height, name } = trackOf(sight);
    this.size = { width, height };
    this.name = name;
    this.video = new VideoSource(width, height);
    this.videoTrack = LocalVideoTrack.createVideoTrack(name, this.video);
  }
}

/**
 * Keeps the tracks of ended sessions for later ones. When the media server ends a room, rtc-node
 * 0.13.35 leaks publication and track, which reference each other, and with them a thread, an
 * encoder and its buffers. Only publishing the track again frees them.
 */
export class TrackShelf {
  readonly #clock: Clock;
  #entries: { tracks: AvatarTracks; sinceMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(sight: Sight): AvatarTracks {
    const restedMs = this.#clock.elapsed() - REST_MS;
    const entry = this.#entries.find(
      ({ tracks, sinceMs }) => sinceMs <= restedMs && isFor(tracks, sight),
    );
    if (!entry) return new AvatarTracks(sight);
    this.#entries = this.#entries.filter((item) => item !== entry);
    return entry.tracks;
  }

  /** Call after leaving the room. */
  put(tracks: AvatarTracks): void {
    tracks.audio.clearQueue();
    this.#entries.push({ tracks, sinceMs: this.#clock.elapsed() });
  }
}

function isFor({ size, name }: AvatarTracks, sight: Sight): boolean {
  const track = trackOf(sight);
  return size.width === track.width && size.height === track.height && name === track.name;
}
