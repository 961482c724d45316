import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';

/** The API key, in either header. Both are accepted wherever a key is. */
export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : bearerOf(request);
}

export const bearerOf = (request: FastifyRequest): string | null =>
  bearerIn(request.headers.authorization ?? '');

const bearerIn = (header: string): string | null => /^Bearer +(\S.*)$/i.exec(header)?.[1] ?? null;

/**
 * Refuses requests with several different keys on every route: parts of the service, and proxies in
 * front of it, might each act for another of them. The same key twice is fine.
 */
export function refuseAmbiguousKeys(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    // Node keeps the first of several Authorization headers.
    const bearers = valuesOf(request, 'authorization').map(bearerIn);
    onlyCredential([...valuesOf(request, 'x-api-key'), ...bearers]);
  });
}

/** Throws `credentials_ambiguous` for different ones. Null without any. */
export function onlyCredential(credentials: readonly (string | null)[]): string | null {
  const distinct = new Set(credentials.map((text) => text?.trim()).filter(Boolean));
  if (distinct.size > 1) throw new Fault('credentials_ambiguous');
  return [...distinct][0] ?? null;
}

function valuesOf({ raw: { rawHeaders } }: FastifyRequest, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
