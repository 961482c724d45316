import {
  RoomEvent,
  type RemoteTrack,
  type RemoteTrackPublication,
  type Room,
  type TrackSource,
} from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';

type UserTrackOptions<Value> = {
  room: Room;
  userIdentity: string;
  source: TrackSource;
  open: (track: RemoteTrack) => ReadableStream<Value>;
  /** The next value is read when it resolves. */
  onValue: (value: Value, publication: RemoteTrackPublication) => void | Promise<void>;
  onMuted: () => void;
  /** Called when the track is gone, and when another one follows. */
  onEnd?: () => void;
  log: Log;
};

type Identified = { identity: string };

/**
 * Reads a track of a user, and the next one when it is published again. The room must be
 * subscribed to it. Returns a function that ends the reading.
 */
export function readUserTrack<Value>(options: UserTrackOptions<Value>): () => void {
  const { room, userIdentity, source, open, onValue, onMuted, onEnd, log } = options;
  let reading: { track: RemoteTrack; reader: ReadableStreamDefaultReader<Value> } | null = null;

  const isWanted = (publication: RemoteTrackPublication, { identity }: Identified): boolean =>
    identity === userIdentity && publication.source === source;
  const stop = () => {
    void reading?.reader.cancel().catch(() => {});
    reading = null;
    onEnd?.();
  };
  const read = async (track: RemoteTrack, publication: RemoteTrackPublication) => {
    if (reading?.track === track) return;
    stop();
    try {
      const reader = open(track).getReader();
      reading = { track, reader };
      for (;;) {
        const { done, value } = await reader.read();
        if (done || reading?.reader !== reader) return;
        await onValue(value, publication);
      }
    } catch (error) {
      log.error({ err: error, source }, 'a track of the user cannot be read any more');
    }
  };
  const onSubscribed = (
    track: RemoteTrack,
    publication: RemoteTrackPublication,
    participant: Identified,
  ) => {
    if (isWanted(publication, participant)) void read(track, publication);
  };
  const onUnsubscribed = (track: RemoteTrack) => {
    if (reading?.track === track) stop();
  };
  const onTrackMuted = (publication: object, participant: Identified) => {
    if (isWanted(publication as RemoteTrackPublication, participant)) onMuted();
  };

  for (const participant of room.remoteParticipants.values())
    for (const publication of participant.trackPublications.values())
      if (publication.track) onSubscribed(publication.track, publication, participant);
  room.on(RoomEvent.TrackSubscribed, onSubscribed);
  room.on(RoomEvent.TrackUnsubscribed, onUnsubscribed);
  room.on(RoomEvent.TrackMuted, onTrackMuted);
  return () => {
    room.off(RoomEvent.TrackSubscribed, onSubscribed);
    room.off(RoomEvent.TrackUnsubscribed, onUnsubscribed);
    room.off(RoomEvent.TrackMuted, onTrackMuted);
    stop();
  };
}
