/*
 * Media servers whose key and secret we hold. An agent that signs with such a key controls the
 * rooms there anyway, so it may request an avatar without a room token: we make the token.
 */
import { isSameServer } from '#shared/network/same-server.ts';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { avatarFor, roomToken, type MediaServerKey } from './room-token.ts';

type MediaServerOptions = MediaServerKey & {
  /** Address for avatar workers. */
  url: string;
  /** Address for everyone else. */
  publicUrl?: string | undefined;
};

/** Clock skew between machines. */
const TOLERANCE_SECONDS = 30;
/** The caller waits. */
const ANSWER_MS = 2_000;

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

  /** Why the server will not let a participant with this token in; null if it may. */
  async tokenRefusal(token: string, now: number): Promise<string | null> {
    const { apiKey, apiSecret } = this.#options;
    if (issuerOf(token) !== apiKey) return this.#refusalOfStranger(token);
    try {
      await jwtVerify(token, secretOf(apiSecret), {
        algorithms: ['HS256', 'HS384', 'HS512'],
        currentDate: new Date(now),
        clockTolerance: TOLERANCE_SECONDS,
      });
      return null;
    } catch (error) {
      return explainRefusal(error);
    }
  }

  isAt(url: string): boolean {
    const { url: ownUrl, publicUrl = ownUrl } = this.#options;
    return [ownUrl, publicUrl].some((knownUrl) => isSameServer(knownUrl, url));
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

  /** The server may have other keys than ours, so it is asked. */
  async #refusalOfStranger(token: string): Promise<string | null> {
    const address = `${this.url.replace(/^ws/, 'http').replace(/\/+$/, '')}/rtc/validate`;
    try {
      const { status } = await fetch(address, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return status === 401
        ? 'The media server refuses the token: it does not know the API key (iss), or the secret is another.'
        : null;
    } catch {
      // Unreachable: the worker tries later, and may reach it.
      return null;
    }
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

const secretOf = (apiSecret: string): Uint8Array => new TextEncoder().encode(apiSecret);

function explainRefusal(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token is not valid now (${error.claim}).`;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "The token's signature is wrong: it was not signed with the secret of its API key.";
  return "The token's signature cannot be verified. Sign it with HS256.";
}

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
    return (await jwtVerify<InferenceClaims>(token, secretOf(apiSecret), options)).payload;
  } catch {
    return null;
  }
}
