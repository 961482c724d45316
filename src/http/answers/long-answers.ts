/*
 * Sends answers of more than a few hundred kilobytes in parts: one part of all accounts at a time,
 * in turns by account, and no sooner than its client reads.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { FairTurns } from '../../work/fair-turns.ts';
import { paced } from '../../work/paced.ts';
import { Places } from '../../work/places.ts';

/** Each has its unread part in memory. */
const PER_ACCOUNT = 4;
/** Unread bytes of one answer. */
const UNREAD_BYTES = 256 * 1024;
/** A part takes milliseconds, so that few ever wait for seconds. */
const WAIT_MS = 30_000;

export class LongAnswers {
  /** At making parts. */
  readonly #turns: FairTurns;
  readonly #places = new Places({
    perAccount: PER_ACCOUNT,
    taken: `${PER_ACCOUNT} long answers are being sent to this account. Try again when one of them has arrived.`,
    retryAfterSeconds: 5,
  });

  constructor(clock: Pick<Clock, 'after'>) {
    const busy = 'Long answers to others are being sent. Please try again shortly.';
    this.#turns = new FairTurns(clock, { running: 1, waitMs: WAIT_MS, busy });
  }

  /** Paces the parts of an answer whose number is limited elsewhere. */
  paced<Part>(accountId: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    return paced(this.#turns, accountId, parts);
  }

  /** JSON in parts. Throws `rate_limit` while the account has too many answers on their way. */
  send({ account, log }: FastifyRequest, reply: FastifyReply, json: AsyncIterable<Buffer>) {
    const leave = this.#places.take(account.id);
    const parts = this.paced(account.id, json);
    const stream = Readable.from(parts, { objectMode: false, highWaterMark: UNREAD_BYTES });
    stream.once('close', leave);
    stream.once('error', (err) => log.warn({ err }, 'answer broke off'));
    return reply.type('application/json; charset=utf-8').send(stream);
  }

  /** A list that is read in pages; that of a single page is answered at once. */
  async sendList(request: FastifyRequest, reply: FastifyReply, pages: AsyncGenerator<unknown[]>) {
    const first = await pages.next();
    const second = first.done ? first : await pages.next();
    if (second.done) return reply.send(first.done ? [] : first.value);
    return this.send(request, reply, jsonOf([first.value, second.value], pages));
  }
}

async function* jsonOf(
  read: readonly unknown[][],
  rest: AsyncIterable<unknown[]>,
): AsyncGenerator<Buffer> {
  let mark = '[';
  for (const page of read) {
    yield Buffer.from(mark + itemsOf(page));
    mark = ',';
  }
  for await (const page of rest) yield Buffer.from(mark + itemsOf(page));
  yield Buffer.from(']');
}

/** JSON of the items, without the brackets. The page is not empty. */
const itemsOf = (page: unknown[]): string => JSON.stringify(page).slice(1, -1);
