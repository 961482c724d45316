/*
 * A page token lets Troupe's own page act as the first account for a few minutes without an API
 * key. It is issued for:
 * - the one-time code in the link that the start prints, with a refresh token;
 * - a refresh token, which the browser keeps: it survives a reload and is renewed with each use;
 * - the admin password, without a refresh token.
 * The address of the caller counts for nothing: behind a proxy or tunnel every peer is loopback.
 * Tokens are signed with a key derived from the service's secret. None is stored, and every control
 * plane can verify them.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';

export const PAGE_TOKEN_HEADER = 'x-page-token';

export const LIFETIME_SECONDS = { page: 600, refresh: 86_400 };
type Kind = keyof typeof LIFETIME_SECONDS;

export class PageTokens {
  readonly #clock: Clock;
  readonly #key: Buffer;

  constructor(secret: Buffer, clock: Clock) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'pages', 32));
    this.#clock = clock;
  }

  issue(kind: Kind = 'page'): string {
    const expiresAt = this.#clock.now() + LIFETIME_SECONDS[kind] * 1000;
    return `${expiresAt}.${this.#sign(kind, expiresAt)}`;
  }

  check(token: string, kind: Kind = 'page'): boolean {
    const [expires = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.#sign(kind, Number(expires)));
    const actual = Buffer.from(signature);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false;
    return this.#clock.now() < Number(expires);
  }

  #sign(kind: Kind, expiresAt: number): string {
    return createHmac('sha256', this.#key).update(`${kind} ${expiresAt}`).digest('base64url');
  }
}
