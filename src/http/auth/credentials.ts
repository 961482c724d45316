import type { FastifyRequest } from 'fastify';

export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : null;
}

export const bearerOf = (request: FastifyRequest): string | null =>
  /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
