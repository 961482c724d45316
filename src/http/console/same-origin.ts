/*
 * Requests that other sites make a browser send. A cookie comes with them; the header
 * `x-troupe-console` does not, since CORS does not allow it, and browsers name the sender.
 */
import type { FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';

const HEADER = 'x-troupe-console';

/** Throws unless a page of this service sent the request. */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const site = request.headers['sec-fetch-site'];
  // `none`: the address was typed, or opened from a bookmark.
  const isOwnSite = site === undefined || site === 'same-origin' || (isRead && site === 'none');
  if (!isOwnSite) throw refusal('Only pages of this service may use a sign-in.');
  if (isRead) return;
  if (request.headers[HEADER] !== '1') throw refusal(`Send the header ${HEADER}: 1.`);
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request, publicUrl)) {
    throw refusal(
      `The page was opened at ${origin}, which is not an address of this service. Open it at its own address, or set PUBLIC_URL.`,
    );
  }
}

function isOwnOrigin(
  origin: string,
  { host }: FastifyRequest,
  publicUrl: string | undefined,
): boolean {
  if (!URL.canParse(origin)) return false;
  const requestOrigin = new URL(origin);
  // A proxy in front may end TLS, so only the host of the request counts.
  const serviceOrigin = publicUrl ?? `${requestOrigin.protocol}//${host}`;
  return [serviceOrigin, `${requestOrigin.protocol}//${host}`].some(
    (url) => URL.canParse(url) && new URL(url).origin === requestOrigin.origin,
  );
}

const refusal = (detail: string): Fault => new Fault('forbidden', { detail });
