/*
 * Sends answers of more than a few hundred kilobytes in parts: one part of all accounts at a time,
 * in turns by account, and no sooner than its client reads.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { FairTurns } from '../../work/fair-turns.ts';
import { nextInTurn, paced, type Pace } from '../../work/paced.ts';
import { Places } from '../../work/places.ts';

/** Each has its unread part in memory. */
const PER_ACCOUNT = 4;
/** Unread bytes of one answer. */
const UNREAD_BYTES = 256 * 1024;

export class LongAnswers {
  /** At making parts. None has a deadline: the answer would break off in its middle. */
  readonly #pace: Pace;
  readonly #places = new Places({
    perAccount: PER_ACCOUNT,
    refusal: `${PER_ACCOUNT} long answers are being sent to this account. Try again when one of them is complete.`,
    retryAfterSeconds: 5,
  });

  constructor(clock: Pick<Clock, 'after'>) {
    const refusal = 'Long answers to others are being sent. Please try again shortly.';
    this.#pace = { turns: new FairTurns(clock, { running: 1, refusal }), clock };
  }

  /** Paces the parts of an answer whose number is limited elsewhere. */
  paced<Part>(accountId: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    return paced(this.#pace, accountId, parts);
  }

  /** JSON in parts. Throws `rate_limit` while the reader has too many answers on their way. */
  send({ accountId, readerId = accountId }: Reader, reply: FastifyReply, json: Parts) {
    const leave = this.#places.take(readerId);
    const parts = this.paced(accountId, json);
    const stream = Readable.from(parts, { objectMode: false, highWaterMark: UNREAD_BYTES });
    stream.once('close', leave);
    stream.once('error', (err) => reply.log.warn({ err }, 'answer broke off'));
    return reply.type('application/json; charset=utf-8').send(stream);
  }

  /** A list that is read in pages; that of a single page is answered at once. */
  async sendList(reader: Reader, reply: FastifyReply, { pages, within = (list) => list }: List) {
    const firstPage = await nextInTurn(this.#pace, reader.accountId, pages);
    const secondPage = firstPage.done
      ? firstPage
      : await nextInTurn(this.#pace, reader.accountId, pages);
    if (secondPage.done) return reply.send(within(firstPage.done ? [] : firstPage.value));
    const [start, end] = around(within);
    return this.send(reader, reply, jsonOf(start, [firstPage.value, secondPage.value], pages, end));
  }
}

type Parts = AsyncIterable<Buffer>;

/** `readerId`: a reader besides the account, whose places remain free. */
type Reader = { accountId: string; readerId?: string };

type List = {
  pages: AsyncGenerator<unknown[]>;
  /** The body that contains the list. Default: the list itself. */
  within?: (list: unknown[]) => unknown;
};

/** JSON before and behind the items. */
function around(within: NonNullable<List['within']>): [start: string, end: string] {
  const place = randomUUID();
  const [start, end] = JSON.stringify(within([place])).split(JSON.stringify(place));
  return [start!, end!];
}

async function* jsonOf(
  start: string,
  firstPages: readonly unknown[][],
  laterPages: AsyncIterable<unknown[]>,
  end: string,
): AsyncGenerator<Buffer> {
  let mark = start;
  for (const page of firstPages) {
    yield Buffer.from(mark + itemsOf(page));
    mark = ',';
  }
  for await (const page of laterPages) yield Buffer.from(mark + itemsOf(page));
  yield Buffer.from(end);
}

/** JSON of the items, without the brackets. The page is not empty. */
const itemsOf = (page: unknown[]): string => JSON.stringify(page).slice(1, -1);
