import { decodeJwt } from 'jose';
import { SoundRecorder } from '../support/sound/sound-recorder.ts';
import { roomToken, type Keys } from './room-token.ts';

/** A hidden guest in the room of a user's token, and the user's identity. Make the guest leave. */
export async function listenAlong(mediaServer: Keys & { url: string }, userToken: string) {
  const { sub: user = '', video } = decodeJwt<{ video: { room: string } }>(userToken);
  const seat = { grants: { hidden: true, canPublish: false } };
  const guest = new SoundRecorder();
  await guest.join(mediaServer.url, await roomToken(mediaServer, video.room, 'guest', seat));
  return { guest, user };
}
