/*
 * Media servers whose key and secret we hold. An agent that signs with such a key controls the
 * rooms there anyway, so it may request an avatar without a room token: we make the token.
 */
import { decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import { avatarFor, roomToken, type MediaServerKey } from './room-token.ts';

type MediaServerOptions = MediaServerKey & {
  /** Address for avatar workers. */
  url: string;
  /** Address for everyone else. */
  publicUrl?: string | undefined;
};

/** Clock skew between machines. */
const TOLERANCE_SECONDS = 30;

export class MediaServer {
  readonly url: string;
  readonly #options: MediaServerOptions;

  constructor(options: MediaServerOptions) {
    this.url = options.url;
    this.#options = options;
  }

  /** True for an unexpired inference token that this server's key signed. */
  async hasSigned(token: string, now: number): Promise<boolean> {
    const { apiKey, apiSecret } = this.#options;
    if (issuerOf(token) !== apiKey) return false;
    const claims = await verify(token, { apiKey, apiSecret }, now);
    return claims?.inference?.perform === true;
  }

  /** Compares host and port. ws equals http, and all names of this machine are equal. */
  isAt(url: string): boolean {
    const { url: own, publicUrl = own } = this.#options;
    return [own, publicUrl].some((known) => hostOf(known) === hostOf(url));
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

/** Parses `wss://KEY:SECRET@host,...`. */
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

/** Host and port; null if `text` is not a URL. */
function hostOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  const defaultPort = /^(wss|https):$/.test(protocol) ? '443' : '80';
  return `${hostname.replace(loopback, 'localhost')}:${port || defaultPort}`;
}
