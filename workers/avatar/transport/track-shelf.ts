import { AudioSource, LocalAudioTrack, LocalVideoTrack, VideoSource } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import { AUDIO_QUEUE_MS, AUDIO_RATE } from './transport.ts';

/** By then the SDK, which goes on by itself, has left the room that they were in. */
const REST_MS = 2_000;

export type PictureSize = { width: number; height: number };

/** What a face sends into one room at a time. */
export class FaceTracks {
  readonly size: PictureSize;
  readonly audio = new AudioSource(AUDIO_RATE, 1, AUDIO_QUEUE_MS);
  readonly video: VideoSource;
  readonly audioTrack = LocalAudioTrack.createAudioTrack('avatar_audio', this.audio);
  readonly videoTrack: LocalVideoTrack;

  constructor({ width, height }: PictureSize) {
    this.size = { width, height };
    this.video = new VideoSource(width, height);
    this.videoTrack = LocalVideoTrack.createVideoTrack('avatar_video', this.video);
  }
}

/**
 * Keeps the tracks of one session for a later one. When the media server ends a room, rtc-node 0.13.35 leaves publication and track holding
 * each other, and with them a thread, a connection's encoder and its buffers, for ever; only publishing the track again parts them.
 */
export class TrackShelf {
  readonly #clock: Clock;
  #kept: { tracks: FaceTracks; sinceMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(size: PictureSize): FaceTracks {
    const restedMs = this.#clock.elapsed() - REST_MS;
    const found = this.#kept.find(
      ({ tracks, sinceMs }) => sinceMs <= restedMs && isSame(tracks.size, size),
    );
    if (!found) return new FaceTracks(size);
    this.#kept = this.#kept.filter((kept) => kept !== found);
    return found.tracks;
  }

  /** The room they were in is left. */
  put(tracks: FaceTracks): void {
    tracks.audio.clearQueue();
    this.#kept.push({ tracks, sinceMs: this.#clock.elapsed() });
  }
}

const isSame = (one: PictureSize, other: PictureSize): boolean =>
  one.width === other.width && one.height === other.height;
