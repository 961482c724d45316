import { describe, expect, test } from 'vitest';
import { evaluationOf, evaluateByRules } from '../../../src/calls/evaluation/evaluation.ts';

const said = (...lines: string[]) =>
  lines.map((message) => ({ sender: 'user' as const, message, sentAt: 0, latency: null }));

describe('what a call was about, by rules', () => {
  test('is what the user said most, without words that say little', () => {
    const messages = said('I want to know about my invoice.', 'The invoice has the wrong address.');

    expect(evaluateByRules(messages)).toMatchObject({
      topic: 'invoice, address, wrong',
      evaluatedBy: 'rules',
    });
  });

  test('is not what the agent said, and nothing where the user said nothing', () => {
    const [line] = said('Welcome to the shop of shoes.');

    expect(evaluateByRules([{ ...line!, sender: 'ai' }])).toEqual({
      topic: '',
      userSentiment: 'neutral',
      evaluatedBy: 'rules',
    });
  });
});

describe('how the user felt, by rules', () => {
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
  const judgement = { topic: 'shoes', userSentiment: 'neutral', evaluatedBy: 'rules' } as const;

  test('are of the call', () => {
    expect(evaluationOf({ startedAt: 1_000, endedAt: 331_000 }, said('a', 'b'), judgement)).toEqual(
      {
        ...judgement,
        durationMinutes: 5.5,
        messagesCount: 2,
      },
    );
  });

  test('are nothing of one that never began', () => {
    expect(evaluationOf({ startedAt: null, endedAt: 1 }, [], judgement)).toMatchObject({
      durationMinutes: 0,
      messagesCount: 0,
    });
  });
});
