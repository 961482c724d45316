import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { RulesEvaluator } from '../../../src/calls/evaluation/rules-evaluator.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const clock = new TestClock();
let evaluator: RulesEvaluator;
afterEach(() => evaluator.close());

const run = (code: string) => new Worker(code, { eval: true });
const endless = "require('node:worker_threads').parentPort.on('message', () => { for (;;); })";
const failing = "require('node:worker_threads').parentPort.on('message', () => { throw 1; })";

describe('the evaluation by rules in a thread', () => {
  test('gives each call its result', async () => {
    evaluator = new RulesEvaluator(clock);

    const evaluations = [
      evaluator.evaluate(['Great sandals!']),
      evaluator.evaluate(['Broken sandals.']),
    ];

    expect(await Promise.all(evaluations)).toEqual([
      { topic: 'sandals', userSentiment: 'positive', evaluatedBy: 'rules' },
      { topic: 'sandals, broken', userSentiment: 'negative', evaluatedBy: 'rules' },
    ]);
  });

  test('that takes five seconds is ended, and the next one gets a new thread', async () => {
    const threads: Worker[] = [];
    evaluator = new RulesEvaluator(clock, () => {
      threads.push(run(endless));
      return threads.at(-1)!;
    });
    const ended = () => until(() => threads.at(-1)!.threadId === -1);
    for (const count of [1, 2]) {
      const result = expect(evaluator.evaluate(['x'])).rejects.toThrow('took too long');
      await until(() => threads.length === count);

      clock.advance(5_000);

      await result;
      await ended();
    }
  });

  test('rejects when its thread fails', async () => {
    evaluator = new RulesEvaluator(clock, () => run(failing));

    await expect(evaluator.evaluate(['x'])).rejects.toBeDefined();
  });

  test('rejects what runs and what waits when it is closed', async () => {
    let isStarted = false;
    evaluator = new RulesEvaluator(clock, () => {
      isStarted = true;
      return run(endless);
    });
    const running = expect(evaluator.evaluate(['x'])).rejects.toThrow('thread ended');
    const waiting = expect(evaluator.evaluate(['x'])).rejects.toThrow('closed');
    await until(() => isStarted);

    await evaluator.close();

    await running;
    await waiting;
  });
});
