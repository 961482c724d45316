import {
  RoomEvent,
  TrackSource,
  VideoStream,
  type RemoteTrack,
  type RemoteTrackPublication,
  type Room,
  type VideoFrameEvent,
} from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';
import type { NewestFrame } from './newest-frame.ts';

export type CameraOptions = {
  room: Room;
  userIdentity: string;
  frames: Pick<NewestFrame<VideoFrameEvent>, 'keep' | 'forget'>;
  log: Log;
  openVideo?: ((track: RemoteTrack) => ReadableStream<VideoFrameEvent>) | undefined;
};

/**
 * Subscribes to the camera of a user, also one that is published again, and keeps its newest frame.
 * Returns a function that ends it.
 */
export function watchCamera({
  room,
  userIdentity,
  frames,
  log,
  openVideo = (track) => new VideoStream(track),
}: CameraOptions): () => void {
  let watched: { track: RemoteTrack; reader: ReadableStreamDefaultReader } | null = null;

  const isCamera = (publication: RemoteTrackPublication, identity: string): boolean =>
    identity === userIdentity && publication.source === TrackSource.SOURCE_CAMERA;
  const stop = () => {
    void watched?.reader.cancel().catch(() => {});
    watched = null;
    frames.forget();
  };
  const watch = async (track: RemoteTrack, publication: RemoteTrackPublication) => {
    if (watched?.track === track) return;
    stop();
    try {
      const reader = openVideo(track).getReader();
      watched = { track, reader };
      for (;;) {
        const { done, value } = await reader.read();
        if (done || watched?.reader !== reader) return;
        // Frames of before may arrive after the camera was turned off.
        if (!publication.muted) frames.keep(value);
      }
    } catch (error) {
      log.error({ err: error }, 'camera of the user not seen any more');
    }
  };
  const onPublished = (publication: RemoteTrackPublication, { identity }: Identified) => {
    if (!isCamera(publication, identity)) return;
    if (publication.track) void watch(publication.track, publication);
    else publication.setSubscribed(true);
  };
  const onSubscribed = (
    track: RemoteTrack,
    publication: RemoteTrackPublication,
    { identity }: Identified,
  ) => {
    if (isCamera(publication, identity)) void watch(track, publication);
  };
  const onGone = (track: RemoteTrack) => {
    if (watched?.track === track) stop();
  };
  const onMuted = (publication: object, { identity }: Identified) => {
    if (isCamera(publication as RemoteTrackPublication, identity)) frames.forget();
  };

  room.on(RoomEvent.TrackPublished, onPublished);
  room.on(RoomEvent.TrackSubscribed, onSubscribed);
  room.on(RoomEvent.TrackUnsubscribed, onGone);
  room.on(RoomEvent.TrackMuted, onMuted);
  for (const participant of room.remoteParticipants.values())
    for (const publication of participant.trackPublications.values())
      onPublished(publication, participant);
  return () => {
    room.off(RoomEvent.TrackPublished, onPublished);
    room.off(RoomEvent.TrackSubscribed, onSubscribed);
    room.off(RoomEvent.TrackUnsubscribed, onGone);
    room.off(RoomEvent.TrackMuted, onMuted);
    stop();
  };
}

type Identified = { identity: string };
