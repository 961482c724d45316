/** Claims of a room token, unverified: only the media server has the key. */
type Claims = { exp?: number; attributes?: Record<string, string> };

export const attributesOf = (token: string): Record<string, string> =>
  claimsOf(token).attributes ?? {};

export function isExpired(token: string, nowMs: number): boolean {
  const { exp } = claimsOf(token);
  return exp !== undefined && exp * 1000 <= nowMs;
}

/** Whether `token` expires later than `otherToken`. */
export const outlives = (token: string, otherToken: string): boolean =>
  (claimsOf(token).exp ?? Infinity) > (claimsOf(otherToken).exp ?? Infinity);

function claimsOf(token: string): Claims {
  try {
    const [, payload = ''] = token.split('.');
    return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims | null) ?? {};
  } catch {
    // Not a JWT: the media server rejects it.
    return {};
  }
}
