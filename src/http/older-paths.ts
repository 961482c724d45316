import type { FastifyReply, FastifyRequest } from 'fastify';

/** 2026-01-01T00:00:00Z. There is no end-of-life date yet, so no Sunset. */
const DEPRECATED_SINCE = '@1767225600';

/** Deprecated paths and what took their place. */
const successors: Record<string, string> = {
  session: 'sessions',
  avatar: 'avatars',
};

/**
 * Says on every answer under a deprecated path, errors too, what took its place: call it before anything can refuse the request. The link
 * holds the prefix to put in the place of the older one, as the interface's rule for migration reads it.
 */
export function markIfOlder(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const older = /^\/v1\/([a-z-]+)(?=[/?]|$)/.exec(request.url)?.[1];
  const successor = successors[older ?? ''];
  if (!successor) return;
  reply.header('deprecation', DEPRECATED_SINCE);
  reply.header('link', `<${baseUrl}/v1/${successor}>; rel="successor-version"`);
}
