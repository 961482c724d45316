import {
  AudioStream,
  RoomEvent,
  TrackSource,
  type RemoteTrack,
  type RemoteTrackPublication,
  type Room,
} from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';
import type { Listener } from './listener.ts';
import { HEARD_RATE } from './user-audio.ts';

type MicrophoneOptions = {
  room: Room;
  userIdentity: string;
  listener: Pick<Listener, 'hear' | 'muted'>;
  log: Log;
};

/**
 * Lets a listener hear the microphone of a user, also one that is published again. The room must
 * be subscribed to it. Returns a function that ends it.
 */
export function readMicrophone({ room, userIdentity, listener, log }: MicrophoneOptions) {
  let reading: { track: RemoteTrack; reader: ReadableStreamDefaultReader } | null = null;

  const isMicrophone = (publication: RemoteTrackPublication, identity: string): boolean =>
    identity === userIdentity && publication.source === TrackSource.SOURCE_MICROPHONE;
  const stop = () => {
    void reading?.reader.cancel().catch(() => {});
    reading = null;
  };
  const read = async (track: RemoteTrack) => {
    if (reading?.track === track) return;
    stop();
    const stream = new AudioStream(track, { sampleRate: HEARD_RATE, numChannels: 1 });
    const reader = stream.getReader();
    reading = { track, reader };
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        await listener.hear(new Int16Array(value.data));
      }
    } catch (error) {
      log.error({ err: error }, 'microphone of the user not heard any more');
    }
  };
  const onSubscribed = (
    track: RemoteTrack,
    publication: RemoteTrackPublication,
    { identity }: { identity: string },
  ) => {
    if (isMicrophone(publication, identity)) void read(track);
  };
  const onMuted = (publication: object, { identity }: { identity: string }) => {
    if (isMicrophone(publication as RemoteTrackPublication, identity)) listener.muted();
  };

  for (const { identity, trackPublications } of room.remoteParticipants.values())
    for (const publication of trackPublications.values())
      if (publication.track && isMicrophone(publication, identity)) void read(publication.track);
  room.on(RoomEvent.TrackSubscribed, onSubscribed);
  room.on(RoomEvent.TrackMuted, onMuted);
  return () => {
    room.off(RoomEvent.TrackSubscribed, onSubscribed);
    room.off(RoomEvent.TrackMuted, onMuted);
    stop();
  };
}
