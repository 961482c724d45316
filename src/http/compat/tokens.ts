/*
 * Tokens that vendor adapters hand to callers, signed with a key derived from the service's secret.
 * Nothing is stored, and every control plane can verify them.
 */
import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Clock } from '#shared/clock.ts';
import type { VendorRequest } from './vendor-request.ts';

/** The next call of the same session start follows at once or after a few retries. */
const PASS_LIFETIME_MS = 5 * 60_000;

/** Carries the key and the fields of the first call of a session start to the second. */
export type Pass = { keyId: string; asked: VendorRequest };

interface VendorTokens {
  pass(vendor: string, pass: Pass): Promise<string>;
  /** Null for an invalid or expired pass. */
  readPass(vendor: string, token: string): Promise<Pass | null>;
  /** Proves that the holder opened the session through this adapter. Does not expire. */
  proof(vendor: string, sessionId: string): Promise<string>;
  isProof(vendor: string, sessionId: string, token: string): Promise<boolean>;
}

export function vendorTokens(secret: Buffer, clock: Clock): VendorTokens {
  // Keep the info string: another key would invalidate issued tokens.
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'doors', 32));

  const sign = (audience: string, payload: JWTPayload) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).setAudience(audience).sign(key);

  const read = async (audience: string, token: string): Promise<JWTPayload | null> => {
    const currentDate = new Date(clock.now());
    try {
      const options = { audience, algorithms: ['HS256'], currentDate };
      return (await jwtVerify(token, key, options)).payload;
    } catch {
      return null;
    }
  };

  return {
    pass: (vendor, pass) => {
      const exp = Math.floor((clock.now() + PASS_LIFETIME_MS) / 1000);
      return sign(`pass ${vendor}`, { exp, pass });
    },
    async readPass(vendor, token) {
      const payload = await read(`pass ${vendor}`, token);
      const pass = payload?.['pass'] as Partial<Pass> | undefined;
      // A pass of an earlier version names no key.
      return pass?.keyId === undefined ? null : (pass as Pass);
    },
    proof: (vendor, sessionId) => sign(`proof ${vendor}`, { sub: sessionId }),
    async isProof(vendor, sessionId, token) {
      return (await read(`proof ${vendor}`, token))?.sub === sessionId;
    },
  };
}
