/*
 * Deprecated paths and what took their place. Every answer under them says so, errors too: the hook runs before the key check and
 * for paths that no route fits.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** 2026-01-01T00:00:00Z. There is no end-of-life date yet, so no Sunset. */
const DEPRECATED_SINCE = '@1767225600';

const successors: Record<string, string> = {
  session: 'sessions',
  avatar: 'avatars',
};

export function markOlderPaths(
  app: FastifyInstance,
  baseUrl: (request: FastifyRequest) => string,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const older = /^\/v1\/([a-z-]+)(?=[/?]|$)/.exec(request.url)?.[1];
    const successor = successors[older ?? ''];
    if (!successor) return;
    reply.header('deprecation', DEPRECATED_SINCE);
    reply.header('link', `<${baseUrl(request)}/v1/${successor}>; rel="successor-version"`);
  });
}
