/** The visible reasons why an address and a token do not open a room. */
export type JoinProblem = 'no_url' | 'no_token' | 'expired' | 'not_yet' | 'no_room';

type Claims = { exp?: number; nbf?: number; video?: { roomJoin?: boolean; room?: string } };

/** Clock skew between machines. */
const TOLERANCE_MS = 30_000;

/** `now`: in milliseconds. Whether the signature holds, only the media server can tell. */
export function joinProblem(url: string, token: string, now: number): JoinProblem | null {
  if (!/^wss?:$/.test(URL.parse(url)?.protocol ?? '')) return 'no_url';
  const claims = claimsIn(token);
  if (!claims) return 'no_token';
  const { exp, nbf, video } = claims;
  if (exp !== undefined && exp * 1000 < now - TOLERANCE_MS) return 'expired';
  if (nbf !== undefined && nbf * 1000 > now + TOLERANCE_MS) return 'not_yet';
  return video?.roomJoin === true && video.room ? null : 'no_room';
}

function claimsIn(token: string): Claims | null {
  const [, payload, signature] = token.split('.');
  if (!payload || !signature) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' ? claims : null;
  } catch {
    return null;
  }
}
