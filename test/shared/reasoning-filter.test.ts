import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReasoningFilter, withoutReasoning } from '#shared/reasoning-filter.ts';

function read(pieces: readonly string[], startsInside = false): string {
  const filter = new ReasoningFilter(startsInside);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

const WRAPPED = [
  '<think>I count.</think>It is four.',
  '<thinking>\nI count. 1 < 2, a[1] = 2.\n</thinking>\n\nIt is four.',
  '<THINK>I count.</THINK>It is four.',
  '<Thinking >I count.</Thinking >It is four.',
  '<think time="3">I count.</think>It is four.',
  '<thought>I count.</thought>It is four.',
  '<reasoning>I count.</reasoning>It is four.',
  '<reasoning_content>I count.</reasoning_content>It is four.',
  '<reflection>I count.</reflection>It is four.',
  '<scratchpad>I count.</scratchpad>It is four.',
  '<inner_monologue>I count.</inner_monologue>It is four.',
  '<chain_of_thought>I count.</chain_of_thought>It is four.',
  '<seed:think>I count.</seed:think>It is four.',
  '[THINK]I count, [1, 2].[/THINK]It is four.',
  '[thinking]I count.[/thinking] It is four.',
  '◁think▷I count.◁/think▷It is four.',
  '<|START_THINKING|>I count.<|END_THINKING|><|START_RESPONSE|>It is four.<|END_RESPONSE|>',
  '<|begin_of_thought|>I count.<|end_of_thought|><|begin_of_solution|>It is four.<|end_of_solution|>',
  '<|channel|>analysis<|message|>I count.<|end|><|start|>assistant<|channel|>final<|message|>It is four.<|return|>',
  '<|start|>assistant<|channel|>commentary to=functions.sum <|constrain|>json<|message|>{}<|call|><|channel|>final<|message|>It is four.',
  'analysisThe user wants a sum. We count.assistantfinalIt is four.',
  '<|channel>thought\nI count.<channel|>It is four.',
  '<unused94>thought\nI count.<unused95>It is four.',
  '<|inner_prefix|>I count.<|inner_suffix|>It is four.',
  '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\nI count.\n</details>\nIt is four.',
  'Here is my thought process: I count. Here is my response: It is four.',
  '<think>I <think>count</think> twice.</think>It is four.',
  '<thinking>I <reflection>count</reflection> twice.</thinking>It is four.',
  '<thinking>I <reflection>count</thinking>It is four.',
  '<thinking>I count.</think>It is four.',
  'It is <think>I count.</think>four.',
  '<think></think>It is four.',
  '<think/>It is four.',
  'It is four.<|im_end|>',
  '<｜begin▁of▁sentence｜>It is four.<｜end▁of▁sentence｜></s>',
  '<think>One.</think>It is <think>Two.</think>four.<think>Am I sure?',
];

const PLAIN = [
  'It is four.',
  'If a < b and b > c, think again. <b>Bold</b> [1] and [see](https://example.org).',
  'A [thought](https://example.org) on {thinking}.',
  'Here is my answer: an apple. Analysis follows.',
  'He thinks <3 [laughs] ``` code ```',
  'a<',
  '',
];

describe('reasoning filter', () => {
  test.each(WRAPPED)('shows only the answer of %j', (answer) => {
    expect(read([answer]).trim()).toBe('It is four.');
    expect(read(Array.from(answer)).trim()).toBe('It is four.');
    expect(withoutReasoning(answer).trim()).toBe('It is four.');
  });

  test.each(PLAIN)('changes nothing in %j', (answer) => {
    expect(read([answer])).toBe(answer);
    expect(read(Array.from(answer))).toBe(answer);
  });

  test('shows the same for any pieces', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...WRAPPED, ...PLAIN),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 }),
        (answer, sizes) => {
          const pieces: string[] = [];
          for (let at = 0, i = 0; at < answer.length; at += sizes[i++ % sizes.length]!)
            pieces.push(answer.slice(at, at + sizes[i % sizes.length]!));

          expect(read(pieces)).toBe(read([answer]));
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    '<think>I count, and count',
    '[THINK]I count',
    '◁think▷I count',
    '<|channel|>analysis<|message|>I count',
    '<thinking>I <thinking>count</thinking> and',
    'analysisWe count',
  ])('drops reasoning without an end: %j', (answer) => {
    expect(read(Array.from(answer))).toBe('');
  });

  test.each(['I count.</think>It is four.', 'I count.[/THINK] It is four.'])(
    'learns that the template begins the reasoning: %j',
    (answer) => {
      const filter = new ReasoningFilter();
      for (const piece of Array.from(answer)) filter.push(piece);
      filter.end();

      expect(filter.endsBare).toBe(true);
      expect(read(Array.from(answer), true).trim()).toBe('It is four.');
      expect(withoutReasoning(answer).trim()).toBe('It is four.');
      // Without an end, such a model did not reason.
      expect(read(['It is ', 'four.'], true)).toBe('It is four.');
    },
  );

  test('passes text on at once, except what may become a marker', () => {
    const filter = new ReasoningFilter();

    const shownTexts = ['Well, it is', ' fo', 'ur [', 'or five', '], I', ' think.'].map((piece) =>
      filter.push(piece),
    );

    expect(shownTexts).toEqual(['Well, it is', ' fo', 'ur ', '', '[or five], I', ' think.']);
  });

  test('keeps little of long reasoning, and takes linear time', () => {
    const filter = new ReasoningFilter();
    filter.push('<think>');

    const texts = Array.from({ length: 20_000 }, () => filter.push('<a [b ◁c '.repeat(10)));

    expect(texts.join('')).toBe('');
    expect(filter.push('</think>Four.') + filter.end()).toBe('Four.');
  });
});
