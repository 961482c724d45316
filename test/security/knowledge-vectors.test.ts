/*
 * Memory of embeddings: an account has several sets of files, and an embedding model of its own
 * that answers slowly, or many at once.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/knowledge/embedder.ts';
import { Knowledge, type IndexLimits } from '../../src/knowledge/passages.ts';
import { SEARCH_LIMITS } from '../../src/knowledge/process/knowledge-search.ts';
import { noTurns } from '../support/knowledge/no-turns.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const DIMENSIONS = 64;

let knowledge: Knowledge;
/** Answers of the requests that wait. */
let answers: (() => void)[];
/** Names of the files whose passages were requested. */
let requests: string[];
let mostVectorBytes: number;
beforeEach(() => {
  answers = [];
  requests = [];
  mostVectorBytes = 0;
});
afterEach(() => knowledge.close());

const slowModel: Embedder = {
  space: 'space',
  externalApiId: 'api',
  async embed(texts) {
    requests.push(texts[0]!.split('\n')[0]!);
    await new Promise<void>((resolve) => answers.push(resolve));
    return texts.map((_, at) => new Float32Array(DIMENSIONS).fill(at + 1));
  },
};

/** Each id names a file with so many passages. */
function knowledgeOf(limits: Partial<IndexLimits>): Knowledge {
  const fields = { accountId: 'account', format: 'text', status: 'available' } as const;
  return new Knowledge({
    files: {
      available: async (_, ids) => ids.map((id) => ({ ...fields, id, name: id, createdAt: 0 })),
      read: async (_, id) => ({ name: id, content: 'Word and word. '.repeat(45 * Number(id)) }),
    },
    vectors: {
      list: async () => [],
      keep: async () => void (mostVectorBytes = Math.max(mostVectorBytes, knowledge.vectorBytes)),
      forget: async () => {},
    },
    clock: new TestClock(),
    log: quietLog,
    turns: noTurns,
    limits: { ...SEARCH_LIMITS, ...limits },
  });
}

const prepare = (...knowledgeFileIds: string[]) =>
  knowledge.prepare({ accountId: 'account', knowledgeFileIds }, slowModel);

describe('vectors', () => {
  test('stay within their memory while many sets of files are filled at once', async () => {
    const maxVectorBytes = 40 * DIMENSIONS;
    knowledge = knowledgeOf({ maxVectorBytes });
    const sets = ['20', '21', '22', '23', '24', '25'];
    for (const id of sets) prepare(id);
    await until(() => answers.length === sets.length);

    for (const answer of answers) answer();
    await knowledge.filled();

    expect(mostVectorBytes).toBeLessThanOrEqual(maxVectorBytes);
    expect(knowledge.vectorBytes).toBeGreaterThan(0);
  });

  test('of an index that was evicted are computed no further', async () => {
    knowledge = knowledgeOf({ maxKept: 130 });
    prepare('100');
    await until(() => requests.length === 1);
    prepare('60');
    await until(() => requests.length === 2);

    let isFilled = false;
    void knowledge.filled().then(() => (isFilled = true));
    await until(() => {
      for (const answer of answers.splice(0)) answer();
      return isFilled;
    });

    expect(requests).toEqual(['100', '60', '60']);
  });
});
