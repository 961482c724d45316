import { SignJWT } from 'jose';

/** A token of a media server, with a separate room for each. */
export const roomToken = (name: string): Promise<string> =>
  new SignJWT({
    jti: name,
    exp: Math.floor(Date.now() / 1000) + 3_600,
    video: { roomJoin: true, room: name },
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new Uint8Array(32));
