import { describe, expect, test } from 'vitest';
import { evaluationOf, evaluateByRules } from '../../../src/calls/evaluation/evaluation.ts';
import { stepsOf } from '../../support/steps.ts';

const userLines = (...lines: string[]) =>
  lines.map((message) => ({ sender: 'user' as const, message, sentAt: 0, latency: null }));

describe('the topic by rules', () => {
  test('is the user’s most frequent words without stop words', () => {
    const texts = ['I want to know about my invoice.', 'The invoice has the wrong address.'];

    expect(evaluateByRules(texts)).toMatchObject({
      topic: 'invoice, address, wrong',
      evaluatedBy: 'rules',
    });
  });

  test('is at most 200 characters long', () => {
    const word = 'x'.repeat(20_000);

    expect(evaluateByRules([word]).topic).toBe('x'.repeat(200));
  });
});

describe('the sentiment by rules', () => {
  test.each([
    ['Thank you, that was great!', 'positive'],
    ['This is useless, I am so annoyed.', 'negative'],
    ['What time is it?', 'neutral'],
    ['That is not good.', 'negative'],
    ['No problem, thanks.', 'positive'],
    ['Great, but slow.', 'neutral'],
    ['It is not really all that good.', 'negative'],
    ['Not yet, but good.', 'positive'],
    ['Danke, perfekt!', 'positive'],
  ])('%s', (line, sentiment) => {
    expect(evaluateByRules([line]).userSentiment).toBe(sentiment);
  });
});

const fillers = (count: number) => 'a '.repeat(count);
/** Each is another one. Digits would end a word. */
const words = (count: number) =>
  Array.from({ length: count }, (_, at) => at.toString(2).replace(/./g, (bit) => 'ab'[+bit]!)).join(
    ' ',
  );

describe('an evaluation by rules', () => {
  // Comparing each word with all words before it takes four times as many.
  test.each([
    ['fillers', fillers],
    ['words', words],
  ])('takes twice the steps for twice the %s', async (_what, textOf) => {
    const module = new URL('../../../src/calls/evaluation/evaluation.ts', import.meta.url).href;
    const calls = [1_000, 2_000].map((count) => [[textOf(count)]]);

    const [some = 0, twice = 0] = await stepsOf({ module, name: evaluateByRules.name, calls });

    expect(some).toBeGreaterThan(1_000);
    expect(twice / some).toBeLessThan(2.5);
  });

  // Steps of built-in functions are not counted: comparing all words would take minutes.
  test.each([
    ['fillers', fillers],
    ['words', words],
  ])('ends for a long text of %s', (_what, textOf) => {
    expect(evaluateByRules([textOf(400_000)]).userSentiment).toBe('neutral');
  });
});

describe('the numbers of an evaluation', () => {
  const evaluation = { topic: 'shoes', userSentiment: 'neutral', evaluatedBy: 'rules' } as const;

  test('are those of the call', () => {
    expect(
      evaluationOf({ startedAt: 1_000, endedAt: 331_000 }, userLines('a', 'b'), evaluation),
    ).toEqual({
      ...evaluation,
      durationMinutes: 5.5,
      messagesCount: 2,
    });
  });

  test('are zero for a call that never started', () => {
    expect(evaluationOf({ startedAt: null, endedAt: 1 }, [], evaluation)).toMatchObject({
      durationMinutes: 0,
      messagesCount: 0,
    });
  });
});
