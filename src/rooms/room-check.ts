import { decodeJwt } from 'jose';
import { Fault, type Problem } from '../errors.ts';

export type CallerRoom = { url: string; token: string };

/** Dotted paths of the two fields in the request body. Published clients use different names. */
export type RoomFieldPaths = { url: string; token: string };

const schemes = new Set(['ws:', 'wss:', 'http:', 'https:']);

/** Refuses what no media server accepts. */
export function checkCallerRoom(room: CallerRoom, names: RoomFieldPaths, now: number): void {
  const problems: Problem[] = [];
  const add = (name: string, input: string | null, msg: string | null) => {
    if (msg) problems.push({ type: 'value_error', loc: locOf(name), msg, input });
  };
  add(names.url, room.url, urlProblem(room.url));
  // The token is a secret and must not appear in logged replies.
  add(names.token, null, tokenProblem(room.token, now));
  if (problems.length > 0) throw new Fault('invalid_request', { problems });
}

export const locOf = (name: string): string[] => ['body', ...name.split('.')];

function urlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (!url) return 'The address of the media server is not a URL.';
  if (!schemes.has(url.protocol)) return 'The URL must begin with ws, wss, http or https.';
  if (url.username || url.password) return 'The URL must not hold a user name or password.';
  return null;
}

type Claims = { exp?: unknown; video?: Grant | null };
type Grant = {
  roomJoin?: unknown;
  room?: unknown;
  canPublish?: unknown;
  canPublishSources?: unknown;
};
/** The avatar's tracks, under the names that tokens use. */
const SOURCES = ['camera', 'microphone'];

function tokenProblem(token: string, now: number): string | null {
  const claims = readClaims(token);
  if (!claims) return 'The token is not a JWT.';
  if (claims.exp !== undefined) {
    if (typeof claims.exp !== 'number') return 'The token has no readable expiry.';
    if (claims.exp * 1000 <= now) return 'The token has expired.';
  }
  const grant = claims.video;
  if (grant?.roomJoin !== true) return 'The token does not allow joining a room (roomJoin).';
  if (typeof grant.room !== 'string' || grant.room === '') return 'The token names no room.';
  // Published plugins omit it, which allows publishing.
  if (grant.canPublish === false) return 'The token does not allow publishing (canPublish).';
  // Absent or empty: all sources.
  const sources = grant.canPublishSources;
  if (
    Array.isArray(sources) &&
    sources.length > 0 &&
    !SOURCES.every((source) => sources.includes(source))
  )
    return 'The token does not allow publishing camera and microphone (canPublishSources).';
  return null;
}

function readClaims(token: string): Claims | null {
  // decodeJwt checks the payload only.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  try {
    return decodeJwt(token) as Claims;
  } catch {
    return null;
  }
}
