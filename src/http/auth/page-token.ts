/*
 * A page token lets our own page act as the first account for a few minutes, without ever holding an API key. It is given to a
 * page that a person opened on this very machine:
 * - the peer is a loopback address: nobody else on the network;
 * - Host is a loopback name: a foreign name that was made to point at 127.0.0.1 (DNS rebinding) is not;
 * - Origin is that same Host: another site's script, or a page on another local port, is not; a browser sends Origin with each POST;
 * - no forwarding header: behind a proxy or a tunnel every caller's peer is loopback.
 * Whoever knows the admin password gets one from anywhere.
 * It is signed with a secret that lives as long as this process, so nothing is stored and a restart ends all of them.
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

/** Where the page sends its token. */
export const PAGE_TOKEN_HEADER = 'x-page-token';

const LIFE_SECONDS = 600;

export class PageTokens {
  readonly #clock: Clock;
  readonly #secret = randomBytes(32);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): { token: string; expiresInSeconds: number } {
    const expiresAt = this.#clock.now() + LIFE_SECONDS * 1000;
    return { token: `${expiresAt}.${this.#sign(expiresAt)}`, expiresInSeconds: LIFE_SECONDS };
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
  // The page asks its user for the password then.
  const about = hasAdmin ? { instead: 'admin_password' } : {};
  throw new Fault('forbidden', { detail: refusal, about });
}

/** Says why this caller gets no page token, or null when it is a page opened on this machine. */
export function whyNotOurPage(
  peer: string | undefined,
  headers: IncomingHttpHeaders,
): string | null {
  if (isForwarded(headers)) {
    return 'A page token is only given to a page that is opened directly, not through a proxy.';
  }
  if (!isLoopbackAddress(peer ?? '')) {
    return 'A page token is only given to a browser on the machine that runs Troupe.';
  }
  const host = parseUrl(`http://${headers.host ?? ''}`);
  if (!host || !isLoopbackName(host.hostname)) {
    return 'A page token is only given under a local address such as http://localhost.';
  }
  const origin = parseUrl(headers.origin ?? '');
  if (origin?.host !== host.host) {
    return 'A page token is only given to the page that Troupe itself serves.';
  }
  return null;
}

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || isLoopbackAddress(name);

/** Null for what is no plain `scheme://host`: a Host such as `localhost@elsewhere` must not be read as either. */
function parseUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.pathname === '/';
  return isPlain && /^https?:$/.test(url.protocol) ? url : null;
}
