import { beforeEach, describe, expect, test } from 'vitest';
import { BATCHES, recordVerbs, SINGLE_TEXTS } from '../../../src/knowledge/process/record-verbs.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

const model = { space: 'space', externalApiId: null };
const signal = new AbortController().signal;
const unused = async () => null;

/** Answers of the endpoint that are in memory. */
let answers: number;
let end: PromiseWithResolvers<void>;
let verbs: ReturnType<typeof recordVerbs>;
beforeEach(() => {
  answers = 0;
  end = Promise.withResolvers<void>();
  verbs = recordVerbs({
    files: { available: async () => [], find: unused, textOf: unused, piece: unused },
    vectors: { list: async () => [], keep: async () => {}, forget: async () => {} },
    clock: new TestClock(),
    log: quietLog,
    endpointOf: () => ({
      ...model,
      async request() {
        answers += 1;
        await end.promise;
        return new Uint8Array();
      },
    }),
    onBuilding: () => {},
  });
});

const embed = (accountId: string, texts: string[]) =>
  verbs.embed({ accountId, model, texts, withinMs: 1_000 }, signal).then(
    ({ type }) => type,
    ({ fault }: { fault: string }) => fault,
  );

describe('answers of embedding models in memory', () => {
  test.each([
    { of: 'batches', texts: ['one', 'two'], limits: BATCHES },
    { of: 'questions', texts: ['one'], limits: SINGLE_TEXTS },
  ])('are few in all: $of', async ({ texts, limits }) => {
    const requests = Array.from({ length: 2 * limits.total }, (_, at) => embed(`${at}`, texts));

    expect(await requests.at(-1)).toBe('at_capacity');
    expect(answers).toBe(limits.total);
    end.resolve();
    expect((await Promise.all(requests)).filter((type) => type === 'answer')).toHaveLength(answers);
  });

  test.each([
    { of: 'batches', texts: ['one', 'two'], limits: BATCHES },
    { of: 'questions', texts: ['one'], limits: SINGLE_TEXTS },
  ])('are few by account: $of', async ({ texts, limits }) => {
    const requests = Array.from({ length: limits.perAccount + 1 }, () => embed('a', texts));

    expect(await requests.at(-1)).toBe('rate_limit');
    const otherBatch = embed('b', texts);
    end.resolve();
    expect(await otherBatch).toBe('answer');
    await Promise.all(requests);
  });
});
