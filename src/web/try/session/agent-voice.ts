import { RoomEvent, Track, type LocalTrackPublication, type Room } from 'livekit-client';
import { SoundProblem } from '../speech/own-sound.ts';

/** An avatar that is there subscribes within a second. */
const HEARD_WITHIN_MS = 10_000;

/**
 * Speaks as an agent without an avatar plugin does: by a plain track. Only the avatar may hear it, or whoever watches would hear everything
 * twice. Resolves when it listens, with what takes the track back.
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
  const giveUp = () => listens.resolve();
  const late = setTimeout(() => listens.reject(new SoundProblem('not_heard')), HEARD_WITHIN_MS);
  const takeBack = () => void local.unpublishTrack(track).catch(() => {});

  room.on(RoomEvent.LocalTrackSubscribed, onListener);
  signal.addEventListener('abort', giveUp);
  try {
    local.setTrackSubscriptionPermissions(false, [{ participantIdentity: avatar, allowAll: true }]);
    await local.publishTrack(track, { source: Track.Source.Microphone, name: 'voice' });
    await listens.promise;
    return takeBack;
  } catch (error) {
    takeBack();
    throw error;
  } finally {
    clearTimeout(late);
    room.off(RoomEvent.LocalTrackSubscribed, onListener);
    signal.removeEventListener('abort', giveUp);
  }
}
