import type { FastifyRequest } from 'fastify';

/** The API key, in either header. Both are accepted wherever a key is. */
export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : bearerOf(request);
}

export const bearerOf = (request: FastifyRequest): string | null =>
  /^Bearer +(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
