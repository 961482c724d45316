import type { FastifyInstance } from 'fastify';
import { Fault } from '../../errors.ts';

/**
 * Node asks the system for a client's address when it is first read, and knows none once the client
 * has left. Reads it at once, so that later parts of a request have it. Call before other hooks.
 */
export function keepClientAddress(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ socket }) => {
    if (socket.remoteAddress === undefined) throw new Fault('unreadable_request');
  });
}
