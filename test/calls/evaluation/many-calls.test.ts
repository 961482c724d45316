import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { CallEvaluator } from '../../../src/calls/evaluation/call-evaluator.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const never = () => Promise.reject(new Error('not expected'));

describe('many ended calls', () => {
  test('are evaluated eight at a time', async () => {
    const clock = new TestClock();
    const begun: string[] = [];
    const foundCall = Promise.withResolvers<null>();
    const evaluator = new CallEvaluator({
      events: new TypedEvents((error) => {
        throw error;
      }),
      calls: {
        toEvaluate: async () => Array.from({ length: 20 }, (_, at) => `call-${at}`),
        findAny: (id) => {
          begun.push(id);
          return foundCall.promise;
        },
        keepEvaluation: never,
      },
      messages: { list: never },
      budgets: { settle: never },
      transcripts: { evaluate: never, close: async () => {} },
      outbox: { add: never },
      clock,
      log: createLog({ name: 'test', level: 'silent' }),
    });

    evaluator.start();
    await settle();
    expect(begun).toHaveLength(8);
    foundCall.resolve(null);
    await settle();

    expect(new Set(begun).size).toBe(20);
    await evaluator.close();
  });
});
