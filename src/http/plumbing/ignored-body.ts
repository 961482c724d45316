import type { FastifyInstance } from 'fastify';

/**
 * For routes without a body. Clients send none, an empty octet stream or anything else; it is not
 * read.
 */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
