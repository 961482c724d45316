import type { FastifyInstance } from 'fastify';

/** For routes that want no body: clients send anything from none at all to an empty octet stream, and nothing in it matters. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
}
