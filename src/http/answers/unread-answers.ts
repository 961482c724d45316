import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { ByteBudget } from '../bodies/byte-budget.ts';
import { addressOf } from '../limits/rate-limit.ts';

/** The system keeps smaller answers for a slow client. */
const UNCOUNTED_BYTES = 16 * 1024;
/** The most that a stream holds while it waits for its client. */
const STREAM_BYTES = 64 * 1024;

/**
 * Bounds the bytes of answers that clients have not read yet: in all, and half of it by address.
 * Call before any route is registered.
 */
export function boundUnreadAnswers(app: FastifyInstance, maxBytes: number, clock: Clock): void {
  const budget = new ByteBudget(maxBytes, clock);
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = bytesOf(payload);
    // Nothing is sent to a client that has left, and nothing would give the bytes back.
    if (bytes <= UNCOUNTED_BYTES || reply.raw.destroyed) return payload;
    const lease = budget.open(addressOf(request));
    reply.raw.once('close', () => lease.release());
    if (lease.tryGrow(bytes)) return payload;
    if (payload instanceof Readable) payload.destroy();
    throw tooMuchUnread();
  });
}

function bytesOf(payload: unknown): number {
  if (payload instanceof Readable) return STREAM_BYTES;
  // In memory, a text has one or two bytes for each character.
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

const tooMuchUnread = (): Fault =>
  new Fault('at_capacity', {
    detail: 'Too many large answers are under way. Please try again shortly.',
    advice: 'Read the answers as they come; try again after the seconds in Retry-After.',
    about: { reason: 'unread_answers' },
    retryAfterSeconds: 2,
  });
