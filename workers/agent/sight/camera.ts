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
import { readUserTrack } from '../user-track.ts';
import type { NewestFrame } from './newest-frame.ts';

export type CameraOptions = {
  room: Room;
  userIdentity: string;
  frames: Pick<NewestFrame<VideoFrameEvent>, 'keep' | 'forget'>;
  log: Log;
  openVideo?: ((track: RemoteTrack) => ReadableStream<VideoFrameEvent>) | undefined;
};

/**
 * Subscribes to the camera of a user and keeps its newest frame. Returns a function that ends it.
 */
export function watchCamera({
  room,
  userIdentity,
  frames,
  log,
  openVideo = (track) => new VideoStream(track),
}: CameraOptions): () => void {
  const source = TrackSource.SOURCE_CAMERA;
  const stopReading = readUserTrack({
    room,
    userIdentity,
    source,
    open: openVideo,
    onValue(frame, { muted }) {
      // Earlier frames may arrive after the camera was turned off.
      if (!muted) frames.keep(frame);
    },
    onMuted: () => frames.forget(),
    onEnd: () => frames.forget(),
    log,
  });
  const subscribe = (publication: RemoteTrackPublication, { identity }: { identity: string }) => {
    const isCamera = identity === userIdentity && publication.source === source;
    if (isCamera && !publication.track) publication.setSubscribed(true);
  };

  room.on(RoomEvent.TrackPublished, subscribe);
  for (const participant of room.remoteParticipants.values())
    for (const publication of participant.trackPublications.values())
      subscribe(publication, participant);
  return () => {
    room.off(RoomEvent.TrackPublished, subscribe);
    stopReading();
  };
}
