import { AudioStream, TrackSource, type Room } from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';
import { readUserTrack } from '../user-track.ts';
import type { Listener } from './listener.ts';
import { HEARD_RATE } from './user-audio.ts';

type MicrophoneOptions = {
  room: Room;
  userIdentity: string;
  listener: Pick<Listener, 'hear' | 'muted'>;
  log: Log;
};

/**
 * Lets a listener hear the microphone of a user. The room must be subscribed to it. Returns a
 * function that ends it.
 */
export const readMicrophone = ({ room, userIdentity, listener, log }: MicrophoneOptions) =>
  readUserTrack({
    room,
    userIdentity,
    source: TrackSource.SOURCE_MICROPHONE,
    open: (track) => new AudioStream(track, { sampleRate: HEARD_RATE, numChannels: 1 }),
    onValue: ({ data }) => listener.hear(new Int16Array(data)),
    onMuted: () => listener.muted(),
    log,
  });
