import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TextsRefused, type Embedder } from '../../src/knowledge/embedder.ts';
import { Fault } from '../../src/errors.ts';
import { newRecordId } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { Knowledge } from '../../src/knowledge/passages.ts';
import { SEARCH_LIMITS } from '../../src/knowledge/process/knowledge-search.ts';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import type { Database } from '../../src/records/engine/database.ts';
import {
  knowledgeFileRecords,
  type KnowledgeFileRecords,
} from '../../src/records/knowledge/knowledge-files.ts';
import { Lists } from '../../src/records/engine/pages.ts';
import { passageVectorRecords } from '../../src/records/knowledge/passage-vectors.ts';
import { conceptsIn } from '../support/agents/concepts.ts';
import { noTurns } from '../support/knowledge/no-turns.ts';
import { newDatabase } from '../support/records/database.ts';
import { wholeTexts } from '../support/records/whole-texts.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';
import { testEncryptor } from '../support/records/encryptor.ts';

const encryptor = testEncryptor();
let db: Database;
let files: KnowledgeFileRecords;
let clock: TestClock;
let accountId: string;
let logged: { msg: string; externalApiId?: string; err?: { message: string } }[];
const open: Knowledge[] = [];

beforeEach(async () => {
  db = await newDatabase();
  files = knowledgeFileRecords(db, encryptor, new Lists(randomBytes(32)));
  clock = new TestClock();
  accountId = (await accountRecords(db).first(0)).id;
  logged = [];
});
afterEach(async () => {
  for (const knowledge of open.splice(0)) await knowledge.close();
  await db.destroy();
});

async function addFile(name: string, content: string): Promise<string> {
  const id = newRecordId();
  const fields = { name, format: 'text', status: 'available', createdAt: 0 } as const;
  await files.insert({ id, accountId, ...fields }, content);
  return id;
}
const addShop = () =>
  Promise.all([
    addFile('Hours', 'The shop is open from nine to six.'),
    addFile('Footwear', 'Running shoes for 80.'),
    addFile('Rules', 'A refund is given within 30 days.'),
  ]);

function newKnowledge(limits: { maxVectorBytes?: number } = {}): Knowledge {
  const log = createLog({ name: 'test' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const knowledge = new Knowledge({
    files: wholeTexts(files),
    vectors: passageVectorRecords(db, encryptor),
    clock,
    log,
    turns: noTurns,
    limits: { ...SEARCH_LIMITS, ...limits },
  });
  open.push(knowledge);
  return knowledge;
}

type Model = Embedder & { requests: string[][]; embedOne: (text: string) => number[] };
function newModel(overrides: Partial<Pick<Model, 'space' | 'embedOne'>> = {}): Model {
  const model: Model = {
    space: 'space',
    externalApiId: 'api-1',
    requests: [],
    embedOne: (text) => conceptsIn(text),
    async embed(texts) {
      model.requests.push([...texts]);
      return texts.map((text) => {
        const vector = model.embedOne(text);
        const length = Math.hypot(...vector);
        return Float32Array.from(vector, (each) => each / length);
      });
    },
    ...overrides,
  };
  return model;
}

/** Shares no word with any passage. */
const QUESTION = 'Which sneaker do you have?';
const failureLogged = (reason: string) =>
  expect.objectContaining({
    externalApiId: 'api-1',
    msg: expect.stringContaining('embeddings failed'),
    err: expect.objectContaining({ message: expect.stringContaining(reason) }),
  });

/** Resolves when no more vectors are computed. */
async function prepared(knowledge: Knowledge, ids: string[], model: Embedder): Promise<void> {
  await knowledge.find({ accountId, knowledgeFileIds: ids }, '', model);
  await knowledge.filled();
}
async function best(knowledge: Knowledge, ids: string[], model: Embedder | null, ask = QUESTION) {
  const [passage] = await knowledge.find({ accountId, knowledgeFileIds: ids }, ask, model);
  return passage?.source;
}

describe('passages', () => {
  test('are found by meaning without a common word', async () => {
    const ids = await addShop();
    const [knowledge, model] = [newKnowledge(), newModel()];
    await prepared(knowledge, ids, model);

    expect(await best(knowledge, ids, model)).toBe('Footwear');
    expect(await best(knowledge, ids, null)).toBeUndefined();
  });

  test('are found by words until their vectors exist', async () => {
    const ids = await addShop();
    const model = newModel();
    model.embed = () => new Promise(() => {});
    const knowledge = newKnowledge();

    expect(await best(knowledge, ids, model, 'running shoes')).toBe('Footwear');
    open.splice(0);
  });

  test('that match both searches come first', async () => {
    const ids = await Promise.all([
      addFile('One', 'Our sneaker comes in red. A sneaker is light.'),
      addFile('Two', 'A blue thing, and its colour is blue.'),
      addFile('Three', 'The sneaker, in blue, costs 90 euros.'),
    ]);
    const [knowledge, model] = [newKnowledge(), newModel()];
    await prepared(knowledge, ids, model);

    expect(await best(knowledge, ids, model, 'Is the price of the blue sneaker low?')).toBe(
      'Three',
    );
  });
});

describe('passage vectors', () => {
  test('are computed once and survive a restart', async () => {
    const ids = await addShop();
    const model = newModel();
    await prepared(newKnowledge(), ids, model);
    const texts = model.requests.flat().filter((text) => text !== QUESTION);
    expect(texts.toSorted()).toEqual([
      'Footwear\nRunning shoes for 80.',
      'Hours\nThe shop is open from nine to six.',
      'Rules\nA refund is given within 30 days.',
    ]);

    const later = newModel();
    const restarted = newKnowledge();
    await prepared(restarted, ids, later);

    expect(await best(restarted, ids, later)).toBe('Footwear');
    expect(new Set(later.requests.flat())).toEqual(new Set([QUESTION]));
  });

  test('are requested in batches, one per passage', async () => {
    const ids = [
      await addFile('Long', 'This sentence says something of nothing at all. '.repeat(1_200)),
      await addFile('Footwear', 'Running shoes for 80.'),
    ];
    const [knowledge, model] = [newKnowledge(), newModel()];
    await prepared(knowledge, ids, model);

    expect(await best(knowledge, ids, model)).toBe('Footwear');

    const requests = model.requests.filter(([text]) => text !== QUESTION);
    expect(knowledge.size).toBeGreaterThan(70);
    expect(requests.flat()).toHaveLength(knowledge.size);
    expect(requests.every(({ length }) => length <= 64)).toBe(true);
    expect(requests.length).toBeLessThan(5);
  });

  test('of another model are computed again', async () => {
    const ids = await addShop();
    const knowledge = newKnowledge();
    await prepared(knowledge, ids, newModel());

    const otherModel = newModel({ space: 'another' });
    await prepared(knowledge, ids, otherModel);

    expect(otherModel.requests.flat()).toContain('Footwear\nRunning shoes for 80.');
  });

  test('of a model replaced under the same name are computed again', async () => {
    const ids = await addShop();
    const knowledge = newKnowledge();
    await prepared(knowledge, ids, newModel());

    const exchanged = newModel({ embedOne: (text) => conceptsIn(text, 64) });
    expect(await best(knowledge, ids, exchanged)).toBeUndefined();
    clock.advance(60_000);
    await prepared(knowledge, ids, exchanged);
    expect(await best(knowledge, ids, exchanged)).toBe('Footwear');

    const restarted = newKnowledge();
    await prepared(restarted, ids, exchanged);
    expect(await best(restarted, ids, exchanged)).toBe('Footwear');
  });

  test('of a model replaced while they are computed are all computed again', async () => {
    const ids = [
      await addFile('Footwear', 'Running shoes for 80.'),
      await addFile('Long', 'This sentence says something of nothing at all. '.repeat(1_200)),
    ];
    const knowledge = newKnowledge();
    let dimensions: number | undefined;
    const model = newModel({ embedOne: (text) => conceptsIn(text, dimensions) });
    const embed = model.embed.bind(model);
    const replaced = Promise.withResolvers<void>();
    let batches = 0;
    model.embed = async (...request) => {
      if (request[0].length > 1 && (batches += 1) === 2) await replaced.promise;
      return embed(...request);
    };
    knowledge.prepare({ accountId, knowledgeFileIds: ids }, model);
    await until(() => batches === 2);

    dimensions = 64;
    await best(knowledge, ids, model);
    replaced.resolve();
    await knowledge.filled();
    clock.advance(60_000);
    await prepared(knowledge, ids, model);

    expect(await best(knowledge, ids, model)).toBe('Footwear');
  });

  test('that exceed the memory limit are not loaded, with an error in the log', async () => {
    const ids = await addShop();
    const knowledge = newKnowledge({ maxVectorBytes: 100 });

    knowledge.prepare({ accountId, knowledgeFileIds: ids }, newModel());

    await until(() => logged.length > 0);
    expect(logged).toEqual([failureLogged('3 passages are too many')]);
    expect(knowledge.vectorBytes).toBe(0);
  });

  test('of the least recently used index are evicted, but not its words', async () => {
    const [hours, shoes] = await addShop();
    const [knowledge, model] = [newKnowledge({ maxVectorBytes: 60 }), newModel()];

    await prepared(knowledge, [hours], model);
    const { vectorBytes } = knowledge;
    await prepared(knowledge, [shoes], model);

    expect(knowledge.vectorBytes).toBe(vectorBytes);
    expect(knowledge.size).toBe(2);
    expect(await best(knowledge, [shoes], model)).toBe('Footwear');
    expect(await best(knowledge, [hours], model, 'Is it open?')).toBe('Hours');
  });

  test('are requested again at once after a request that found no place', async () => {
    const ids = await addShop();
    const knowledge = newKnowledge();
    const crowded = failing(new Fault('at_capacity'));
    await prepared(knowledge, ids, crowded);

    const model = newModel();
    await prepared(knowledge, ids, model);

    expect(logged.map(({ err }) => err?.message)).toEqual([]);
    expect(await best(knowledge, ids, model)).toBe('Footwear');
  });
});

function failing(error: Error): Model {
  const model = newModel();
  model.embed = async (texts) => {
    model.requests.push([...texts]);
    throw error;
  };
  return model;
}

describe('a model that fails', () => {
  test('does not affect answers, is logged, and is not called for a minute', async () => {
    const ids = await addShop();
    const knowledge = newKnowledge();
    const model = failing(new Error('it answered 503'));

    expect(await best(knowledge, ids, model, 'refund')).toBe('Rules');
    await until(() => logged.length === 1);
    await best(knowledge, ids, model, 'refund');
    expect(logged).toEqual([failureLogged('it answered 503')]);
    expect(model.requests).toHaveLength(1);

    clock.advance(60_000);
    const mended = newModel();
    await prepared(knowledge, ids, mended);
    expect(await best(knowledge, ids, mended)).toBe('Footwear');
  });

  test('during a question leaves the word search', async () => {
    const ids = await addShop();
    const knowledge = newKnowledge();
    await prepared(knowledge, ids, newModel());
    const model = failing(new Error('it took too long'));

    const sources = [
      await best(knowledge, ids, model, 'refund'),
      await best(knowledge, ids, model, 'refund'),
    ];

    expect(sources).toEqual(['Rules', 'Rules']);
    expect(model.requests).toEqual([['refund']]);
    expect(logged).toEqual([failureLogged('it took too long')]);
  });

  test('on one text embeds the others', async () => {
    const ids = [...(await addShop()), await addFile('Odd', 'The sneaker that no model takes.')];
    const knowledge = newKnowledge();
    const model = newModel({
      embedOne(text) {
        if (text.startsWith('Odd')) throw new TextsRefused('it answered 400');
        return conceptsIn(text);
      },
    });
    await prepared(knowledge, ids, model);

    expect(await best(knowledge, ids, model, 'Which trainer is there?')).toBe('Footwear');
    expect(await best(knowledge, ids, null, 'sneaker')).toBe('Odd');
    expect(logged).toMatchObject([{ refused: 1, externalApiId: 'api-1' }]);
  });

  test('on every text counts as failing', async () => {
    const ids = await addShop();
    const model = failing(new TextsRefused('it answered 500'));

    newKnowledge().prepare({ accountId, knowledgeFileIds: ids }, model);

    await until(() => logged.length === 1);
    expect(logged).toEqual([failureLogged('it answered 500')]);
    expect(model.requests).toHaveLength(2);
  });

  test("does not delay the service's stop", async () => {
    const ids = await addShop();
    const knowledge = newKnowledge();
    const model = newModel();
    model.embed = (texts, _withinMs, stop) =>
      new Promise((_, reject) => {
        model.requests.push([...texts]);
        stop.addEventListener('abort', () => reject(stop.reason));
      });
    knowledge.prepare({ accountId, knowledgeFileIds: ids }, model);
    await until(() => model.requests.length === 1);

    await knowledge.close();

    expect(logged).toEqual([]);
  });
});
