/*
 * What a door gives its caller to bring back: signed with a key of its own that is made from the service's secret, so that nothing is kept
 * here and every control plane of the service reads it.
 */
import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Clock } from '#shared/clock.ts';
import type { Account } from '../../accounts/account.ts';
import type { Asked } from './asked.ts';

/** The next call of the same start comes at once, or after a few tries. */
const PASS_LIFE_MS = 5 * 60_000;

/** Carries who calls, and what the first call has read, to the second one. */
export type Pass = { account: Account; limitedAs: string; asked: Asked };

export interface VendorTokens {
  pass(door: string, pass: Pass): Promise<string>;
  /** Null for anything else, and for one whose time is over. */
  readPass(door: string, token: string): Promise<Pass | null>;
  /** Shows that its holder was told of the session by this door. It lasts as long as the session may. */
  proof(door: string, sessionId: string): Promise<string>;
  isProof(door: string, sessionId: string, token: string): Promise<boolean>;
}

/** `secret` is the service's own, of any use. */
export function vendorTokens(secret: Buffer, clock: Clock): VendorTokens {
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
    pass: (door, pass) => {
      const exp = Math.floor((clock.now() + PASS_LIFE_MS) / 1000);
      return sign(`pass ${door}`, { exp, pass });
    },
    async readPass(door, token) {
      const payload = await read(`pass ${door}`, token);
      return payload ? (payload['pass'] as Pass) : null;
    },
    proof: (door, sessionId) => sign(`proof ${door}`, { sub: sessionId }),
    async isProof(door, sessionId, token) {
      return (await read(`proof ${door}`, token))?.sub === sessionId;
    },
  };
}
