import { decodeJwt } from 'jose';
import { Ears } from '../support/sound/ears.ts';
import { roomToken, type Keys } from './room-token.ts';

/** Someone in the room of a user's token whom nobody sees, and the user's identity. The guest leaves at the end. */
export async function listenAlong(mediaServer: Keys & { url: string }, userToken: string) {
  const { sub: user = '', video } = decodeJwt<{ video: { room: string } }>(userToken);
  const seat = { grants: { hidden: true, canPublish: false } };
  const ears = new Ears();
  await ears.join(mediaServer.url, await roomToken(mediaServer, video.room, 'guest', seat));
  return { ears, user };
}
