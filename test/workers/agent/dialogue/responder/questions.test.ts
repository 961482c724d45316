import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { lexiconOf } from '../../../../../workers/agent/dialogue/responder/lexicon.ts';
import { repliesOf } from './asking.ts';
import { LATER_RESTAURANT, LATER_SHOP, LATER_WORKSHOP } from './later-questions.ts';
import { RESTAURANT, SHOP, WORKSHOP, type Question } from './questions.ts';

type Verdict = 'right' | 'refused' | 'wrong';
type Judged = { asked: string; reply: string; verdict: Verdict };

async function judged(name: string, questions: readonly Question[]): Promise<Judged[]> {
  const text = await readFile(new URL(`files/${name}`, import.meta.url), 'utf8');
  return Promise.all(
    questions.map(async ([asked, expected]) => {
      const said = typeof asked === 'string' ? [asked] : asked;
      const reply = (await repliesOf({ files: [{ name, text }] }, said)).at(-1)!;
      return { asked: said.join(' / '), reply, verdict: verdictOn(reply, expected) };
    }),
  );
}

function verdictOn(reply: string, expected: RegExp | null): Verdict {
  const isRefusal = reply.includes(lexiconOf('en').language.replies.unknown);
  if (expected === null) return isRefusal ? 'right' : 'wrong';
  if (expected.test(reply)) return 'right';
  return isRefusal ? 'refused' : 'wrong';
}

function figuresOf(answers: readonly Judged[]): Record<Verdict, number> {
  const misses = answers.filter(({ verdict }) => verdict !== 'right');
  if (misses.length > 0) console.table(misses);
  const count = (verdict: Verdict) => answers.filter((each) => each.verdict === verdict).length;
  return { right: count('right'), refused: count('refused'), wrong: count('wrong') };
}

test.each([
  ['first', RESTAURANT, WORKSHOP, SHOP],
  ['later', LATER_RESTAURANT, LATER_WORKSHOP, LATER_SHOP],
])(
  'at least 45 of 60 questions are answered rightly, and none wrongly: %s',
  async (_when, ofRestaurant, ofWorkshop, ofShop) => {
    const answers = await Promise.all([
      judged('restaurant.md', ofRestaurant),
      judged('workshop.txt', ofWorkshop),
      judged('shop.md', ofShop),
    ]);

    const { right, refused, wrong } = figuresOf(answers.flat());

    expect(right + refused + wrong).toBe(60);
    expect(wrong).toBe(0);
    expect(right).toBeGreaterThanOrEqual(45);
  },
);
