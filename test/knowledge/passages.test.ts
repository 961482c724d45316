import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  Knowledge,
  type IndexLimits,
  type KnowledgeOptions,
} from '../../src/knowledge/passages.ts';
import { SEARCH_LIMITS } from '../../src/knowledge/process/knowledge-search.ts';
import { wordsOf } from '../../src/knowledge/words.ts';
import type { KnowledgeFile } from '../../src/records/knowledge/knowledge-files.ts';
import { noTurns } from '../support/knowledge/no-turns.ts';
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
const byWords: Omit<KnowledgeOptions, 'files'> = {
  vectors: { list: async () => [], keep: async () => {}, forget: async () => {} },
  clock: new TestClock(),
  log: quietLog,
  turns: noTurns,
  limits: SEARCH_LIMITS,
};

/** Knowledge of these files; `read` lists those read, in order. */
function knowledgeOf(files: File[], limits: Partial<IndexLimits> = {}) {
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
  const knowledge = new Knowledge({
    files: records,
    ...byWords,
    limits: { ...SEARCH_LIMITS, ...limits },
  });
  const ask = (question: string, ids = files.map(({ id }) => id), accountId = 'account-1') =>
    knowledge.find({ accountId, knowledgeFileIds: ids }, question, null);
  return { knowledge, ask, read };
}

async function sizeOf(each: File): Promise<Knowledge> {
  const { knowledge, ask } = knowledgeOf([each]);
  await ask('number');
  return knowledge;
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
    const { size: each } = await sizeOf(files[0]!);
    const { knowledge, ask, read } = knowledgeOf(files, { maxKept: 2 * each });

    for (const id of ['1', '2', '1', '3', '1']) await ask('number', [id]);

    expect(read).toEqual(['1', '2', '3']);
    expect(knowledge.size).toBe(2 * each);
    await ask('number', ['2']);
    expect(read).toEqual(['1', '2', '3', '2']);
  });

  test('keeps a large index that was just built, whatever others have', async () => {
    const foreignFiles = ['a', 'b', 'c'].map((id) => ({ ...long(id), accountId: 'other' }));
    const large = ['1', '2', '3', '4'].map(long);
    const { size } = await sizeOf(long('1'));
    const { ask, read } = knowledgeOf([...large, ...foreignFiles], { maxKept: 5 * size });
    for (const { id } of foreignFiles) await ask('number', [id], 'other');

    const ids = large.map(({ id }) => id);
    for (let questions = 0; questions < 3; questions += 1) await ask('number', ids);

    expect(read).toEqual(['a', 'b', 'c', ...ids]);
    await ask('number', ['c'], 'other');
    expect(read).toEqual(['a', 'b', 'c', ...ids]);
  });

  test('takes the indexes of an account that has many before those of others', async () => {
    const many = ['1', '2', '3', '4', '5'].map(long);
    const foreignFile = { ...long('a'), accountId: 'other' };
    const { size } = await sizeOf(long('1'));
    const { ask, read } = knowledgeOf([...many, foreignFile], { maxKept: 3 * size });
    await ask('number', ['a'], 'other');

    for (const { id } of many) await ask('number', [id]);
    await ask('number', ['a'], 'other');

    expect(read).toEqual(['a', '1', '2', '3', '4', '5']);
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
