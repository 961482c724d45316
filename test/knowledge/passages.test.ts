import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Knowledge, type KnowledgeOptions } from '../../src/knowledge/passages.ts';
import { wordsOf } from '../../src/knowledge/words.ts';
import type { KnowledgeFile } from '../../src/records/knowledge/knowledge-files.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { TestClock } from '../support/test-clock.ts';

type File = KnowledgeFile & { content: string };

const file = (id: string, name: string, content: string, accountId = 'account-1'): File => ({
  id,
  accountId,
  name,
  format: 'text',
  status: 'available',
  createdAt: 0,
  content,
});

/** Unused: these tests have no embedder. */
const byWords: Pick<KnowledgeOptions, 'vectors' | 'clock' | 'log'> = {
  vectors: { list: async () => [], keep: async () => {}, forget: async () => {} },
  clock: new TestClock(),
  log: quietLog,
};

/** Knowledge of these files; `read` lists those read, in order. */
function knowledgeOf(files: File[], options: Partial<KnowledgeOptions> = {}) {
  const read: string[] = [];
  const filesOf = (accountId: string, ids: string[]) =>
    files.filter((each) => each.accountId === accountId && ids.includes(each.id));
  const records: KnowledgeOptions['files'] = {
    available: async (accountId, ids) => filesOf(accountId, ids),
    read: async (accountId, id) => {
      read.push(id);
      return filesOf(accountId, [id])[0] ?? null;
    },
  };
  const knowledge = new Knowledge({ files: records, ...byWords, ...options });
  const ask = (question: string, ids = files.map(({ id }) => id), accountId = 'account-1') =>
    knowledge.find({ accountId, knowledgeFileIds: ids }, question, null);
  return { knowledge, ask, read };
}

const long = (id: string) =>
  file(id, `File ${id}`, `Sentence about number ${id} and more of the same. `.repeat(200));

const shop = [
  file('1', 'Opening hours', 'The shop opens at nine and closes at six. On Sundays it is closed.'),
  file('2', 'Shoes', 'Running shoes cost 80 euros. Sandals cost 25 euros. Boots are sold out.'),
  file('3', 'Returns', 'Whatever was bought may be returned within 30 days, with the receipt.'),
];

describe('passages found for a question', () => {
  test.each([
    ['How much do sandals cost?', 'Shoes'],
    ['how much is a SANDAL', 'Shoes'],
    ['When does the shop close on Sunday?', 'Opening hours'],
    ['Can I bring something back? I have no receipt.', 'Returns'],
    ['What are your opening hours?', 'Opening hours'],
    ['how much are sandels', 'Shoes'],
  ])('%s', async (question, source) => {
    const [best] = await knowledgeOf(shop).ask(question);

    expect(best).toMatchObject({ source });
  });

  test('are none without a known word or a file', async () => {
    expect(await knowledgeOf(shop).ask('Quantum chromodynamics?')).toEqual([]);
    expect(await knowledgeOf(shop).ask('the of and')).toEqual([]);
    expect(await knowledgeOf([]).ask('How much do sandals cost?')).toEqual([]);
  });

  test('are found in languages without spaces, and with any accents', async () => {
    const { ask } = knowledgeOf([
      file('1', '店', '本店的营业时间是上午九点到下午六点。星期日休息。'),
      file('2', 'Café', 'Le café crème coûte trois euros.'),
    ]);

    expect((await ask('营业时间是什么？'))[0]).toMatchObject({ source: '店' });
    expect((await ask('combien coute le cafe'))[0]).toMatchObject({ source: 'Café' });
  });

  test('come only from the account’s own files and the agent’s', async () => {
    const { ask } = knowledgeOf([
      ...shop,
      file('4', 'Secret', 'The sandals of the others cost 1 euro.', 'account-2'),
    ]);

    const sources = async (ids: string[], accountId?: string) =>
      (await ask('How much do sandals cost?', ids, accountId)).map(({ source }) => source);
    expect(await sources(['2', '4'])).toEqual(['Shoes']);
    expect(await sources(['1', '3'])).toEqual([]);
    expect(await sources(['2', '4'], 'account-2')).toEqual(['Secret']);
  });

  test('are indexed once per set of files, also for concurrent questions', async () => {
    const { ask, read } = knowledgeOf(shop);

    await Promise.all([ask('sandals'), ask('boots', ['3', '2', '1'])]);
    await ask('hours');
    expect(read).toEqual(['1', '2', '3']);

    await ask('sandals', ['2']);
    expect(read).toEqual(['1', '2', '3', '2']);
  });

  test('are indexed again after a failure', async () => {
    const { knowledge, ask } = knowledgeOf(shop);
    const files = {
      available: async () => shop,
      read: async () => Promise.reject(new Error('away')),
    };
    const failing = new Knowledge({ files, ...byWords });

    await expect(
      failing.find({ accountId: 'account-1', knowledgeFileIds: ['1'] }, 'x', null),
    ).rejects.toThrow('away');
    await nextTurn();
    expect(failing.size).toBe(0);
    await ask('sandals');
    expect(knowledge.size).toBe(3);
  });
});

describe('the index cache', () => {
  const files = ['1', '2', '3'].map(long);

  test('holds a number of passages and evicts the least recently used index', async () => {
    const small = knowledgeOf(files);
    await small.ask('number', ['1']);
    const each = small.knowledge.size;
    const { knowledge, ask, read } = knowledgeOf(files, { maxKept: 2 * each });

    for (const id of ['1', '2', '1', '3', '1']) await ask('number', [id]);

    expect(read).toEqual(['1', '2', '3']);
    expect(knowledge.size).toBe(2 * each);
    await ask('number', ['2']);
    expect(read).toEqual(['1', '2', '3', '2']);
  });

  test('bounds a single index too', async () => {
    const { knowledge, ask } = knowledgeOf(files, { maxPassages: 5 });

    expect(await ask('number')).not.toEqual([]);
    expect(knowledge.size).toBe(5);
  });
});

describe('an index', () => {
  test('is built in slices of a few passages', async () => {
    const content = 'A sentence that says something of this and that. '.repeat(8_000);
    const { knowledge, ask } = knowledgeOf([file('1', 'Long', content)]);
    let turns = 0;
    const count = () => {
      turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    await ask('sentence');
    clearImmediate(turn);

    expect(knowledge.size).toBeGreaterThan(400);
    // At least one turn per eight passages.
    expect(turns).toBeGreaterThan(knowledge.size / 8);
  });

  test('can be built before the first question', async () => {
    const { knowledge, read, ask } = knowledgeOf(shop);

    knowledge.prepare({ accountId: 'account-1', knowledgeFileIds: ['1', '2', '3'] }, null);
    await ask('sandals');

    expect(read).toEqual(['1', '2', '3']);
  });
});

describe('words', () => {
  test.each([
    ['The prices of Boots', ['price', 'boot']],
    ['Übergröße 47', ['ubergroße', '47']],
    ['glass, glasses', ['glass', 'glasse']],
    ['営業時間', ['営業', '業時', '時間']],
    ['', []],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
