/*
 * A page token lets Troupe's own page act as the first account for a few minutes without an API key.
 * It is issued to a page opened on this machine:
 * - the peer is a loopback address;
 * - Host is a loopback name, which excludes DNS rebinding;
 * - Origin equals Host, which excludes other sites and other local ports;
 * - no forwarding header, because behind a proxy or tunnel every peer is loopback.
 * With the admin password it is issued to any address.
 * Tokens are signed with a secret of this process: none is stored, and a restart invalidates all.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import type { AdminPassword } from './admin-password.ts';
import { bearerOf } from './credentials.ts';
import { isForwarded, isLoopbackAddress } from './loopback.ts';

export const PAGE_TOKEN_HEADER = 'x-page-token';

const LIFETIME_SECONDS = 600;

export class PageTokens {
  readonly #clock: Clock;
  readonly #secret = randomBytes(32);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): { token: string; expiresInSeconds: number } {
    const expiresAt = this.#clock.now() + LIFETIME_SECONDS * 1000;
    return { token: `${expiresAt}.${this.#sign(expiresAt)}`, expiresInSeconds: LIFETIME_SECONDS };
  }

  check(token: string): boolean {
    const [expires = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.#sign(Number(expires)));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    return this.#clock.now() < Number(expires);
  }

  #sign(expiresAt: number): string {
    return createHmac('sha256', this.#secret).update(`${expiresAt}`).digest('base64url');
  }
}

const PageToken = Type.Object({ token: Type.String(), expires_in_seconds: Type.Integer() });

export const pageTokenRoutes =
  (tokens: PageTokens, admin: AdminPassword | null): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/page-token',
      { schema: { hide: true, response: { 201: PageToken } } },
      async (request, reply) => {
        if (admin && bearerOf(request) !== null) admin.check(request);
        else checkOurPage(request, admin !== null);

        const { token, expiresInSeconds } = tokens.issue();
        reply.code(201).header('cache-control', 'no-store');
        return { token, expires_in_seconds: expiresInSeconds };
      },
    );
  };

function checkOurPage({ raw, headers }: FastifyRequest, hasAdmin: boolean): void {
  const refusal = whyNotOurPage(raw.socket.remoteAddress, headers);
  if (!refusal) return;
  // The page then asks its user for the password.
  const about = hasAdmin ? { instead: 'admin_password' } : {};
  throw new Fault('forbidden', { detail: refusal, about });
}

/** Null for a page opened on this machine, else the reason for the refusal. */
function whyNotOurPage(peer: string | undefined, headers: IncomingHttpHeaders): string | null {
  if (isForwarded(headers)) {
    return 'Page tokens are issued only to pages opened directly, not through a proxy.';
  }
  if (!isLoopbackAddress(peer ?? '')) {
    return 'Page tokens are issued only to browsers on the machine that runs Troupe.';
  }
  const host = parseUrl(`http://${headers.host ?? ''}`);
  if (!host || !isLoopbackName(host.hostname)) {
    return 'Page tokens are issued only under a local address such as http://localhost.';
  }
  const origin = parseUrl(headers.origin ?? '');
  if (origin?.host !== host.host) {
    return 'Page tokens are issued only to pages that Troupe itself serves.';
  }
  return null;
}

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || isLoopbackAddress(name);

/** Null unless it is a plain `scheme://host`. Rejects a Host such as `localhost@elsewhere`. */
function parseUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.pathname === '/';
  return isPlain && /^https?:$/.test(url.protocol) ? url : null;
}
