import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LongAnswers } from '../../../src/http/answers/long-answers.ts';
import { replyToError } from '../../../src/http/errors/fault-replies.ts';
import { TestClock } from '../../support/test-clock.ts';

const LINE = 'x'.repeat(1024 ** 2);
/** More than the buffers of a connection hold. */
const PAGES = 64;

let app: FastifyInstance;
let url: string;
let pagesRead: number;
let open: IncomingMessage[];

async function* pages(count: number) {
  for (let number = 0; number < count; number += 1) {
    pagesRead += 1;
    yield [number, LINE];
  }
}

beforeEach(async () => {
  pagesRead = 0;
  open = [];
  const answers = new LongAnswers(new TestClock());
  app = fastify();
  app.setErrorHandler(replyToError);
  app.get<{ Params: { reader: string; count: string } }>(
    '/:reader/:count',
    async ({ params: { reader, count } }, reply) =>
      answers.sendList({ accountId: 'account', readerId: reader }, reply, {
        pages: pages(Number(count)),
        within: (messages) => ({ name: '"messages":[]', messages, isLast: true }),
      }),
  );
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const answer of open) answer.destroy();
  await app.close();
});

/** The answer's body is not read. */
async function ask(reader: string, pageCount: number): Promise<IncomingMessage> {
  const [answer] = (await once(get(`${url}/${reader}/${pageCount}`), 'response')) as [
    IncomingMessage,
  ];
  open.push(answer);
  return answer;
}

describe('a long list within a body', () => {
  test.each([0, 1, 2, 3])('is the same JSON as at once, of %i pages', async (pageCount) => {
    const body = await json(await ask('reader', pageCount));

    const messages = Array.from({ length: pageCount }, (_, number) => [number, LINE]).flat();
    expect(body).toEqual({ name: '"messages":[]', messages, isLast: true });
  });

  test('is read from the records only as far as its client takes it', async () => {
    await ask('slow', PAGES);
    await buffer(await ask('quick', PAGES));

    expect(pagesRead - PAGES).toBeLessThan(PAGES / 2);
  });

  test('of a slow reader keeps no place of others', async () => {
    for (let count = 0; count < 4; count += 1) await ask('slow', PAGES);

    const refused = await ask('slow', PAGES);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await ask('quick', PAGES)).statusCode).toBe(200);
  });
});
