import type { FastifyReply } from 'fastify';
import { Fault } from '../../errors.ts';

/** Aborts when the client is gone, with or without its answer. */
export function whileConnected({ raw }: FastifyReply): AbortSignal {
  const connection = new AbortController();
  raw.once('close', () => connection.abort(new Fault('unreadable_request')));
  return connection.signal;
}
