import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Answers HEAD as GET without the body and without its length, which would have to be that of a
 * GET. Call before any route is registered.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    // Replaces fastify's own handler, which states the length.
    if (route.method === 'HEAD') route.onSend = [];
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'HEAD') return done(null, payload);
    if (payload instanceof Readable) payload.destroy();
    reply.removeHeader('content-length');
    done(null, null);
  });
}
