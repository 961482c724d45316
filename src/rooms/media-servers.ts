/*
 * The media servers whose key and secret we hold. Whoever signs with such a key may do in its rooms what it likes, so it may also ask for
 * an avatar there: we make the room token ourselves.
 */
import { decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import { avatarFor, roomToken, type MediaServerKey } from './room-token.ts';

export type MediaServerOptions = MediaServerKey & {
  /** As the avatar worker reaches it. */
  url: string;
  /** As others reach it. */
  publicUrl?: string | undefined;
};

/** Clocks of two machines. */
const TOLERANCE_SECONDS = 30;

export class MediaServer {
  readonly url: string;
  readonly #options: MediaServerOptions;

  constructor(options: MediaServerOptions) {
    this.url = options.url;
    this.#options = options;
  }

  /** Says whether this server's key made the token, for inference, and its time is not over. */
  async hasSigned(token: string, now: number): Promise<boolean> {
    const { apiKey, apiSecret } = this.#options;
    if (issuerOf(token) !== apiKey) return false;
    const claims = await verify(token, { apiKey, apiSecret }, now);
    return claims?.inference?.perform === true;
  }

  /** Under any of its addresses: ws and http are the same place, and so are this machine's names for itself. */
  isAt(url: string): boolean {
    const { url: own, publicUrl = own } = this.#options;
    return [own, publicUrl].some((known) => placeOf(known) === placeOf(url));
  }

  avatarToken(guest: {
    room: string;
    identity: string;
    name: string;
    agent: string;
  }): Promise<string> {
    const { room, identity, name, agent } = guest;
    return roomToken(this.#options, room, avatarFor(agent, identity, name));
  }
}

/** Addresses with key and secret, `wss://KEY:SECRET@host`, separated by commas. */
export const readMediaServers = (text: string): MediaServerOptions[] =>
  text.split(',').map((entry) => {
    const { protocol, host, pathname, username, password } = new URL(entry.trim());
    return {
      url: `${protocol}//${host}${pathname === '/' ? '' : pathname}`,
      apiKey: decodeURIComponent(username),
      apiSecret: decodeURIComponent(password),
    };
  });

type InferenceClaims = JWTPayload & { inference?: { perform?: unknown } | null };

function issuerOf(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return null;
  }
}

async function verify(
  token: string,
  { apiKey, apiSecret }: MediaServerKey,
  now: number,
): Promise<InferenceClaims | null> {
  const options = {
    issuer: apiKey,
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
    currentDate: new Date(now),
    clockTolerance: TOLERANCE_SECONDS,
  };
  try {
    const secret = new TextEncoder().encode(apiSecret);
    return (await jwtVerify<InferenceClaims>(token, secret, options)).payload;
  } catch {
    return null;
  }
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Host and port; null for what is no address of a media server. */
function placeOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  const usualPort = /^(wss|https):$/.test(protocol) ? '443' : '80';
  return `${hostname.replace(loopback, 'localhost')}:${port || usualPort}`;
}
