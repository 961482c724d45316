import { VideoEncoding } from '@livekit/rtc-ffi-bindings';
import {
  TrackPublishOptions,
  TrackSource,
  VideoCodec,
  type LocalParticipant,
} from '@livekit/rtc-node';
import { inTime, type Clock } from '#shared/clock.ts';
import type { AvatarTracks } from '../track-shelf.ts';
import { TracksNotTaken } from '../transport.ts';

/**
 * On a busy machine, the signalling socket of a new room sometimes carries nothing (rtc-node
 * 0.13.35). Publishing takes a few hundred milliseconds; the SDK itself waits for 10 s.
 */
const PUBLISH_MS = 5_000;
/** Video bit rate of 512 x 512 at 25 fps, in bit/s. */
const USUAL_BIT_RATE = 800_000;
const USUAL_PIXELS = 512 * 512 * 25;
/** Larger pictures are smoother, so the bit rate grows more slowly than the number of pixels. */
const GROWTH = 0.75;

/** Rejects with `TracksNotTaken` without an answer in time, else with the SDK's error. */
export function publishTracks(
  local: LocalParticipant,
  tracks: AvatarTracks,
  fps: number,
  clock: Clock,
): Promise<void> {
  return inTime(
    clock,
    PUBLISH_MS,
    publish(local, tracks, fps),
    () => new TracksNotTaken(`the media server took no tracks within ${PUBLISH_MS} ms`),
  );
}

async function publish(local: LocalParticipant, tracks: AvatarTracks, fps: number): Promise<void> {
  const { width, height } = tracks.size;
  // Video first: agents wait for it before they speak.
  await local.publishTrack(
    tracks.videoTrack,
    new TrackPublishOptions({
      source: TrackSource.SOURCE_CAMERA,
      // By default the SDK sends several sizes at 20 fps at most.
      simulcast: false,
      videoCodec: VideoCodec.VP8,
      videoEncoding: new VideoEncoding({
        maxBitrate: BigInt(bitRateOf({ width, height, fps })),
        maxFramerate: fps,
      }),
    }),
  );
  await local.publishTrack(
    tracks.audioTrack,
    // With DTX, which sends no packets in silence, viewers miss the first 70 ms of the first
    // utterance.
    new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE, dtx: false }),
  );
}

const bitRateOf = ({ width, height, fps }: { width: number; height: number; fps: number }) =>
  Math.round(USUAL_BIT_RATE * ((width * height * fps) / USUAL_PIXELS) ** GROWTH);
