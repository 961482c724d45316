/*
 * Tokens of a room's two seats: JWTs (HS256) signed with a key derived from the service's secret,
 * so that every control plane can verify them, also after a restart.
 */
import { hkdfSync } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Clock } from '#shared/clock.ts';

export type Seat = 'client' | 'avatar';

export type SeatClaims = {
  room: string;
  seat: Seat;
  /** Address of the control plane with the room. */
  node: string;
  /** Milliseconds since the epoch. */
  issuedAt: number;
};

const CLIENT_LIFE_MS = 10 * 60_000;

/** Clock skew between control planes. */
const TOLERANCE_SECONDS = 30;
const AUDIENCE = 'botroom';

export class SeatTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(secret: Buffer, clock: Clock) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'botrooms', 32));
    this.#clock = clock;
  }

  sign({ room, seat, node }: Omit<SeatClaims, 'issuedAt'>): Promise<string> {
    const now = this.#clock.now();
    const token = new SignJWT({ room, seat, node })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(AUDIENCE)
      // With its fraction: a room is older or newer than its control plane by less than a second.
      .setIssuedAt(now / 1_000);
    // A worker's token never expires: sessions without a time limit may last for weeks, and workers
    // join after each handover. After the session, it opens at most an empty room.
    if (seat === 'client') token.setExpirationTime(Math.floor((now + CLIENT_LIFE_MS) / 1_000));
    return token.sign(this.#key);
  }

  async read(token: string): Promise<SeatClaims | 'expired' | 'invalid'> {
    try {
      return toClaims(await this.#verify(token));
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
    }
  }

  /** For our own use of a token that we issued: it may have expired. Rejects for any other. */
  async readExpired(token: string): Promise<SeatClaims> {
    try {
      return toClaims(await this.#verify(token));
    } catch (error) {
      // Its signature was checked first.
      if (error instanceof errors.JWTExpired) return toClaims(error.payload);
      throw error;
    }
  }

  async #verify(token: string): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, this.#key, {
      audience: AUDIENCE,
      algorithms: ['HS256'],
      currentDate: new Date(this.#clock.now()),
      clockTolerance: TOLERANCE_SECONDS,
    });
    return payload;
  }
}

function toClaims(payload: JWTPayload): SeatClaims {
  const { room, seat, node } = payload as unknown as Omit<SeatClaims, 'issuedAt'>;
  return { room, seat, node, issuedAt: (payload.iat ?? 0) * 1_000 };
}
