/*
 * Tokens that let a visitor call a private agent. The backend of the agent's owner makes them: JWTs
 * (HS256) signed with the agent's link secret, with the agent's id as `sub`, and `exp`.
 */
import { randomBytes } from 'node:crypto';
import { errors, jwtVerify } from 'jose';

/** Clock skew between machines. */
const TOLERANCE_SECONDS = 30;

export const newLinkSecret = (): string => randomBytes(32).toString('base64url');

/** `expired`: it was valid. */
export async function checkLinkToken(
  token: string,
  { agentId, secret, now }: { agentId: string; secret: string; now: number },
): Promise<'valid' | 'expired' | 'invalid'> {
  try {
    await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      subject: agentId,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
      clockTolerance: TOLERANCE_SECONDS,
    });
    return 'valid';
  } catch (error) {
    // Thrown after the signature was verified.
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
  }
}
