import { kill } from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import {
  KnowledgeSearch,
  PING_EVERY_MS,
  REST_MS,
  SEARCH_LIMITS,
} from '../../../src/knowledge/process/knowledge-search.ts';
import type { SearchLimits } from '../../../src/knowledge/process/search-messages.ts';
import { conceptsIn } from '../../support/agents/concepts.ts';
import { randomWords } from '../../support/attacks/random-words.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

/** The client waits. */
const UNLIMITED = new AbortController().signal;

type Logged = { msg: string; reason?: string; accountIds?: string[] };

const searches: KnowledgeSearch[] = [];
let clock: TestClock;
let logged: Logged[];
beforeEach(() => {
  clock = new TestClock();
  logged = [];
});
afterEach(async () => {
  for (const search of searches.splice(0)) await search.close();
  expect(clock.waiting).toBe(0);
});

/** Texts by file id. Each belongs to every account. */
function searchIn(texts: Record<string, string[]>, limits: Partial<SearchLimits> = {}) {
  const fields = { format: 'text', status: 'available', createdAt: 0 } as const;
  const fileOf = (accountId: string, id: string) => ({
    ...fields,
    id,
    accountId,
    name: id,
    size: texts[id]!.join('').length,
  });
  const pieces: string[] = [];
  const search = new KnowledgeSearch(
    {
      files: {
        available: async (accountId, ids) => ids.map((id) => fileOf(accountId, id)),
        find: async (accountId, id) => fileOf(accountId, id),
        textOf: async (_, id) => ({ id, size: 1 }),
        async piece(id, number) {
          pieces.push(`${id} ${number}`);
          return texts[id]![number] ?? null;
        },
      },
      vectors: { list: async () => [], keep: async () => {}, forget: async () => {} },
      clock,
      log: createLog({ name: 'test' }, { write: (line) => void logged.push(JSON.parse(line)) }),
    },
    { ...SEARCH_LIMITS, ...limits },
  );
  searches.push(search);
  const ask = async (
    question: string,
    ids = Object.keys(texts),
    accountId = 'account',
    signal = UNLIMITED,
  ) =>
    (await search.find({ accountId, knowledgeFileIds: ids }, question, null, signal)).map(
      ({ source }) => source,
    );
  return { search, ask, pieces };
}

const shop = { Hours: ['The shop opens ', 'at nine.'], Shoes: ['Sandals cost 25 euros.'] };

describe('the search process', () => {
  test('reads texts piece by piece, once, and finds their passages', async () => {
    const { ask, pieces } = searchIn(shop);

    expect(await ask('How much do sandals cost?')).toEqual(['Shoes']);
    expect(await ask('When does it open? At nine?')).toEqual(['Hours']);

    expect(pieces).toEqual(['Hours 0', 'Hours 1', 'Hours 2', 'Shoes 0', 'Shoes 1']);
  });

  test('requests embeddings through the control plane', async () => {
    const { search } = searchIn({ Footwear: ['Running shoes for 80.'] });
    const requests: string[] = [];
    const endpoint = {
      space: 'space',
      externalApiId: null,
      async request(texts: readonly string[]) {
        requests.push(...texts);
        return Buffer.from(
          JSON.stringify({ data: texts.map((text) => ({ embedding: conceptsIn(text) })) }),
        );
      },
    };
    const of = { accountId: 'account', knowledgeFileIds: ['Footwear'] };
    const ask = () => search.find(of, 'Which sneaker do you have?', endpoint, UNLIMITED);

    await until(async () => (await ask()).length > 0);

    expect(await ask()).toEqual([{ source: 'Footwear', text: 'Running shoes for 80.' }]);
    expect(requests).toContain('Footwear\nRunning shoes for 80.');
  });

  test('passes its log lines on', async () => {
    const { ask } = searchIn({ Long: ['Sandals are shoes. '.repeat(500)] }, { maxPassages: 3 });

    await ask('sandals');

    await until(() => logged.length > 0);
    expect(logged).toEqual([
      expect.objectContaining({ msg: 'knowledge passages omitted', name: 'test', level: 40 }),
    ]);
  });

  test('that exceeds its memory ends, and the accounts that were indexed rest', async () => {
    const large = randomWords(8 * 1024 ** 2).toString();
    const { ask } = searchIn({ ...shop, Large: [large] }, { memoryMiB: 110 });
    await ask('sandals', ['Shoes'], 'other');
    const away = { fault: 'at_capacity', retryAfterSeconds: 10 };

    await expect(ask('word', ['Large'], 'attacker')).rejects.toMatchObject(away);

    expect(logged).toEqual([
      expect.objectContaining({ reason: 'out of memory', accountIds: ['attacker'] }),
    ]);
    await expect(ask('sandals', ['Shoes'], 'attacker')).rejects.toMatchObject(away);
    expect(await ask('sandals', ['Shoes'], 'other')).toEqual(['Shoes']);
    clock.leap(REST_MS);
    expect(await ask('sandals', ['Shoes'], 'attacker')).toEqual(['Shoes']);
  });

  test('that ends while vectors are computed names their accounts, which rest', async () => {
    const { search, ask } = searchIn(shop);
    let requests = 0;
    const endpoint = {
      space: 'space',
      externalApiId: null,
      request: (_texts: readonly string[], _withinMs: number, stop: AbortSignal) => {
        requests += 1;
        return new Promise<never>((_, reject) =>
          stop.addEventListener('abort', () => reject(stop.reason)),
        );
      },
    };
    const of = { accountId: 'slow', knowledgeFileIds: ['Shoes'] };
    await search.find(of, 'sandals', endpoint, UNLIMITED);
    await until(() => requests === 1);

    kill(search.pid!, 'SIGKILL');

    await until(() => logged.length > 0);
    expect(logged).toEqual([expect.objectContaining({ accountIds: ['slow'] })]);
    await expect(ask('sandals', ['Shoes'], 'slow')).rejects.toMatchObject({
      fault: 'at_capacity',
    });
    expect(await ask('sandals', ['Shoes'], 'other')).toEqual(['Shoes']);
  });

  test('that stands still is killed, and the next question starts another one', async () => {
    const { search, ask } = searchIn(shop);
    await ask('sandals');
    const { pid } = search;
    kill(pid!, 'SIGSTOP');

    const asking = expect(ask('sandals')).rejects.toMatchObject({ fault: 'at_capacity' });
    clock.advance(2 * PING_EVERY_MS);
    await asking;

    expect(logged).toEqual([expect.objectContaining({ reason: 'killed', accountIds: [] })]);
    expect(await ask('sandals')).toEqual(['Shoes']);
    expect(search.pid).not.toBe(pid);
  });

  test('serves a small set of files while a large one of another account is indexed', async () => {
    const large = Array.from({ length: 8 }, (_, at) => randomWords(1024 ** 2, at).toString());
    const { ask } = searchIn({ ...shop, Large: large });
    let isIndexed = false;
    const indexing = ask('word', ['Large'], 'attacker').then(() => (isIndexed = true));

    expect(await ask('sandals', ['Shoes'])).toEqual(['Shoes']);

    expect(isIndexed).toBe(false);
    await indexing;
  });

  test('answers a few questions of an account at a time', async () => {
    const { ask } = searchIn(shop);

    const results = await Promise.allSettled(Array.from({ length: 9 }, () => ask('sandals')));

    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 8 }, () => 'fulfilled'),
      'rejected',
    ]);
  });

  test('answers no more questions of a client that is gone, and builds its index', async () => {
    const { ask } = searchIn({ ...shop, Large: [randomWords(2 * 1024 ** 2).toString()] });
    const connection = new AbortController();
    const questions = Array.from({ length: 8 }, () =>
      ask('word', ['Large'], 'account', connection.signal),
    );

    connection.abort(new Error('gone'));

    const results = await Promise.allSettled(questions);
    expect(results.map(({ status }) => status)).toEqual(questions.map(() => 'rejected'));
    expect(await ask('sandals', ['Shoes'])).toEqual(['Shoes']);
  });

  test('ends with the service, whatever it does', async () => {
    const { search, ask } = searchIn({ Large: [randomWords(8 * 1024 ** 2).toString()] });
    const asking = ask('word');
    const refused = expect(asking).rejects.toMatchObject({ fault: 'at_capacity' });
    await until(() => search.pid !== null);

    await search.close();

    await refused;
    await expect(ask('word')).rejects.toMatchObject({ fault: 'at_capacity' });
    expect(logged).toEqual([]);
  });
});
