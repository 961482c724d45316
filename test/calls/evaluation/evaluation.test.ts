import { describe, expect, test } from 'vitest';
import { evaluationOf, evaluateByRules } from '../../../src/calls/evaluation/evaluation.ts';

const said = (...lines: string[]) =>
  lines.map((message) => ({ sender: 'user' as const, message, sentAt: 0, latency: null }));

describe('the topic by rules', () => {
  test('is the user’s most frequent words without stop words', () => {
    const messages = said('I want to know about my invoice.', 'The invoice has the wrong address.');

    expect(evaluateByRules(messages)).toMatchObject({
      topic: 'invoice, address, wrong',
      evaluatedBy: 'rules',
    });
  });

  test('ignores the agent, and is empty without user messages', () => {
    const [line] = said('Welcome to the shop of shoes.');

    expect(evaluateByRules([{ ...line!, sender: 'ai' }])).toEqual({
      topic: '',
      userSentiment: 'neutral',
      evaluatedBy: 'rules',
    });
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
    ['Danke, perfekt!', 'positive'],
  ])('%s', (line, sentiment) => {
    expect(evaluateByRules(said(line)).userSentiment).toBe(sentiment);
  });
});

describe('the numbers of an evaluation', () => {
  const evaluation = { topic: 'shoes', userSentiment: 'neutral', evaluatedBy: 'rules' } as const;

  test('are those of the call', () => {
    expect(
      evaluationOf({ startedAt: 1_000, endedAt: 331_000 }, said('a', 'b'), evaluation),
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
