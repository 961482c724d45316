/* Asks questions about a file of this folder, and judges the answers. */
import { readFile } from 'node:fs/promises';
import { lexiconOf } from '../../../../../workers/agent/dialogue/responder/lexicon.ts';
import { repliesOf } from './asking.ts';
import type { Question } from './questions.ts';

type Verdict = 'right' | 'refused' | 'wrong';
type Judged = { asked: string; reply: string; verdict: Verdict };

export async function answersTo(file: string, questions: readonly Question[]): Promise<Judged[]> {
  const text = await readFile(new URL(`files/${file}`, import.meta.url), 'utf8');
  return Promise.all(
    questions.map(async ([asked, expected]) => {
      const said = typeof asked === 'string' ? [asked] : asked;
      const reply = (await repliesOf({ files: [{ name: file, text }] }, said)).at(-1)!;
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

/** Prints the answers that are not right. */
export function figuresOf(answers: readonly Judged[]): Record<Verdict, number> {
  const misses = answers.filter(({ verdict }) => verdict !== 'right');
  if (misses.length > 0) console.table(misses);
  const count = (verdict: Verdict) => answers.filter((each) => each.verdict === verdict).length;
  return { right: count('right'), refused: count('refused'), wrong: count('wrong') };
}
