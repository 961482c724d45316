/*
 * A page token lets Troupe's own page act as the first account for a few minutes without an API
 * key. It is issued for:
 * - the one-time code in the link that the start prints, with a refresh token;
 * - a refresh token, which the browser keeps: it survives a reload and is renewed with each use;
 * - the admin password, without a refresh token. It ends with that password.
 * The address of the caller counts for nothing: behind a proxy or tunnel every peer is loopback.
 * Tokens are signed with a key derived from the service's secret. None is stored, and every control
 * plane can verify them.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';

export const PAGE_TOKEN_HEADER = 'x-page-token';

export const LIFETIME_SECONDS = { page: 600, password: 600, refresh: 86_400 };
type Kind = keyof typeof LIFETIME_SECONDS;

type PageTokensParts = {
  /** The installation's signing secret. */
  secret: Buffer;
  /** Undefined: no token was issued for one. */
  adminPassword: string | undefined;
  clock: Pick<Clock, 'now'>;
};

export class PageTokens {
  readonly #parts: PageTokensParts;
  readonly #key: Buffer;

  constructor(parts: PageTokensParts) {
    this.#parts = parts;
    this.#key = Buffer.from(hkdfSync('sha256', parts.secret, '', 'pages', 32));
  }

  issue(kind: Kind): string {
    const expiresAt = this.#parts.clock.now() + LIFETIME_SECONDS[kind] * 1000;
    return `${expiresAt}.${this.#sign(kind, expiresAt)}`;
  }

  /** Whether the token lets a page act as the first account. */
  opens(token: string): boolean {
    return this.check(token, 'page') || this.check(token, 'password');
  }

  check(token: string, kind: Kind): boolean {
    const [expires = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.#sign(kind, Number(expires)));
    const actual = Buffer.from(signature);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false;
    return this.#parts.clock.now() < Number(expires);
  }

  #sign(kind: Kind, expiresAt: number): string {
    const source = kind === 'password' ? `\n${this.#parts.adminPassword ?? ''}` : '';
    return createHmac('sha256', this.#key)
      .update(`${kind} ${expiresAt}${source}`)
      .digest('base64url');
  }
}
