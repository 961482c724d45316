/*
 * A page token lets Troupe's own page act as the first account for a few minutes without an API key.
 * It is issued for:
 * - the one-time code in the link that the start prints, with a refresh token;
 * - a refresh token, which the browser keeps: it survives a reload and is renewed with each use;
 * - the admin password, without a refresh token.
 * The address of the caller counts for nothing: behind a proxy or tunnel every peer is loopback.
 * Tokens are signed with a key derived from the service's secret. None is stored, and every control
 * plane can verify them.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { bearerOf } from './credentials.ts';
import type { Services } from '../services.ts';

export const PAGE_TOKEN_HEADER = 'x-page-token';

const LIFETIME_SECONDS = { page: 600, refresh: 86_400 };
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

const Proof = Type.Object({
  code: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
});

const PageToken = Type.Object({
  token: Type.String(),
  expires_in_seconds: Type.Integer(),
  refresh_token: Type.Optional(Type.String()),
});

export const pageTokenRoutes =
  ({ pageTokens, pageCode, adminPassword, limits }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/page-token',
      {
        schema: {
          hide: true,
          // Without a body: only the admin password may be given.
          body: Type.Union([Type.Null(), Proof]),
          response: { 201: PageToken },
        },
      },
      async (request, reply) => {
        reply.code(201).header('cache-control', 'no-store');
        const token = { token: pageTokens.issue(), expires_in_seconds: LIFETIME_SECONDS.page };
        if (adminPassword && bearerOf(request) !== null) {
          adminPassword.check(request);
          return token;
        }
        const proof: Static<typeof Proof> = request.body ?? {};
        if (proof.refresh_token && pageTokens.check(proof.refresh_token, 'refresh')) {
          return { ...token, refresh_token: pageTokens.issue('refresh') };
        }
        limits.countStranger(request);
        if (proof.code && pageCode.use(proof.code)) {
          request.log.info('try page opened with its link');
          return { ...token, refresh_token: pageTokens.issue('refresh') };
        }
        throw new Fault('forbidden', {
          detail: proof.code ? SPENT_LINK : NO_LINK,
          // The page then asks its user for the password.
          about: adminPassword ? { instead: 'admin_password' } : {},
        });
      },
    );
  };

const NO_LINK = 'This browser needs the link that npm start printed.';
const SPENT_LINK =
  'This link was used already, or is older than the last start. Take the link that npm start printed last.';
