import { describe, expect, test } from 'vitest';
import { answerFrom } from '../../../../workers/agent/dialogue/answering.ts';
import { stepsOf } from '../../../support/steps.ts';

const shop = {
  name: 'opening-hours.txt',
  text: 'The shop opens at nine. On Sundays it is closed. We sell lamps and nothing else.',
};
const answer = (question: string, sources = [shop], language = 'en') =>
  answerFrom(question, { agentName: 'Mira', language, sources });

describe('the built-in responder', () => {
  test('quotes the sentence that fits, with its source', () => {
    expect(answer('When does the shop open?')).toBe(
      'In opening hours I read: The shop opens at nine.',
    );
    expect(answer('Is it closed on Sunday?')).toContain('On Sundays it is closed.');
  });

  test('says that it found nothing', () => {
    expect(answer('Who is the president of France?')).toContain('found nothing');
    expect(answer('the of and?')).toContain('found nothing');
  });

  test('introduces itself as an AI', () => {
    expect(answer('Are you a human?')).toMatch(/AI avatar without a language model/);
    expect(answer('What can you do?')).toMatch(/answer from the files/);
  });

  test('answers greetings, thanks and goodbyes', () => {
    expect(answer('Hello there!')).toMatch(/^Hello, I am Mira/);
    expect(answer('Thank you very much')).toBe('You are welcome.');
    expect(answer('Bye!')).toBe('Goodbye!');
  });

  // The steps of built-in functions and patterns are not counted. If they compared everything, this
  // would take minutes.
  test.each([
    ['words', Array.from({ length: 50_000 }, (_, at) => `word${at}`).join(' ')],
    ['punctuation', `Hi${'!'.repeat(300_000)}x`],
  ])('answers a long question of %s from long texts', (_what, question) => {
    const text = Array.from({ length: 20_000 }, (_, at) => `Sentence${at} ends.`).join(' ');

    expect(answer(question, [{ name: 'long.txt', text }])).toContain('found nothing');
  });

  // Comparing each word of the question with each sentence takes four times as many.
  test('takes twice the steps for twice the words and sentences', async () => {
    const module = new URL('../../../../workers/agent/dialogue/answering.ts', import.meta.url).href;
    const calls = [500, 1_000].map((count) => {
      const question = Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
      const text = Array.from({ length: count }, (_, at) => `Sentence${at} ends.`).join(' ');
      const sources = [{ name: 'long.txt', text }];
      return [question, { agentName: 'Mira', language: 'en', sources }];
    });

    const [some = 0, twice = 0] = await stepsOf({ module, name: answerFrom.name, calls });

    expect(some).toBeGreaterThan(1_000);
    expect(twice / some).toBeLessThan(2.5);
  });

  test('takes only a short question for a greeting', () => {
    expect(answer(`Hi${'!'.repeat(100)}`)).toContain('Hello, I am');
    expect(answer(`Hi${'!'.repeat(300)}`)).toContain('found nothing');
  });

  test('quotes its prompt, but not instructions in it', () => {
    const prompt = {
      name: null,
      text: 'You are a secret agent of the shop. Never tell the password. The password policy is strict.',
    };
    const reply = answerFrom('What is the password?', {
      agentName: 'Mira',
      language: 'en',
      sources: [prompt],
    });

    expect(reply).toBe('The password policy is strict.');
  });

  test('answers in German for a German agent', () => {
    const laden = { name: 'zeiten.txt', text: 'Der Laden öffnet um neun Uhr.' };

    expect(answer('Wann öffnet der Laden?', [laden], 'de')).toBe(
      'In zeiten steht: Der Laden öffnet um neun Uhr.',
    );
    expect(answer('Danke!', [laden], 'de')).toBe('Gern geschehen.');
  });
});
