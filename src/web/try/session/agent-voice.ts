import { RoomEvent, Track, type LocalTrackPublication, type Room } from 'livekit-client';
import { SoundProblem } from '../speech/own-sound.ts';

/** An avatar usually subscribes within a second. */
const HEARD_WITHIN_MS = 10_000;

/**
 * Speaks like an agent without an avatar plugin, through a plain track. Only the avatar may
 * subscribe, or viewers would hear everything twice. Resolves to an unpublish function when the
 * avatar has subscribed.
 */
export async function publishVoice(
  room: Room,
  avatar: string,
  track: MediaStreamTrack,
  signal: AbortSignal,
): Promise<() => void> {
  const local = room.localParticipant;
  const listens = Promise.withResolvers<void>();
  const onListener = ({ track: heard }: LocalTrackPublication) => {
    if (heard?.mediaStreamTrack === track) listens.resolve();
  };
  const onAbort = () => listens.resolve();
  const late = setTimeout(() => listens.reject(new SoundProblem('not_heard')), HEARD_WITHIN_MS);
  const unpublish = () => void local.unpublishTrack(track).catch(() => {});

  room.on(RoomEvent.LocalTrackSubscribed, onListener);
  signal.addEventListener('abort', onAbort);
  try {
    local.setTrackSubscriptionPermissions(false, [{ participantIdentity: avatar, allowAll: true }]);
    await local.publishTrack(track, { source: Track.Source.Microphone, name: 'voice' });
    await listens.promise;
    return unpublish;
  } catch (error) {
    unpublish();
    throw error;
  } finally {
    clearTimeout(late);
    room.off(RoomEvent.LocalTrackSubscribed, onListener);
    signal.removeEventListener('abort', onAbort);
  }
}
