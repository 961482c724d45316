/* Splits what a visitor said into small talk and questions. */
import type { Intent } from './language.ts';
import type { Lexicon } from './lexicon.ts';
import { plain } from './plain-text.ts';
import { hasSubject, questionOf, type Question, type Today } from './question.ts';
import { smallTalkIn } from './small-talk.ts';

export type Part =
  | { type: 'talk'; intent: Intent }
  | { type: 'question'; question: Question; text: string };

/** In characters; the rest of a longer line is not understood. */
const LONGEST = 600;
const SENTENCE_END = /(?<=[.?!;])\s+|(?<=[。？！；])|\n+/u;

export function partsOf(line: string, name: string, lexicon: Lexicon, today: Today): Part[] {
  const parts: Part[] = [];
  for (const sentence of line.slice(0, LONGEST).split(SENTENCE_END))
    for (const clause of clausesOf(sentence.trim(), lexicon)) {
      const { intents, rest } = smallTalkIn(clause, name, lexicon);
      for (const intent of intents) parts.push({ type: 'talk', intent });
      if (rest !== '')
        parts.push({ type: 'question', question: questionOf(rest, lexicon, today), text: rest });
    }
  return withSubjects(parts, lexicon, today);
}

/** Cuts where a question begins: "do you have a garden, and where can I park". */
function clausesOf(sentence: string, lexicon: Lexicon): string[] {
  const clauses: string[] = [];
  let clause: string[] = [];
  const words = sentence.replace(/[,，、]/g, ' , ').split(/\s+/);
  const cut = () => {
    if (clause.length > 0) clauses.push(clause.join(' '));
    clause = [];
  };
  for (const [at, word] of words.entries()) {
    if (word === ',') {
      if (lexicon.isUnspaced || begins(words, at + 1, lexicon)) cut();
      continue;
    }
    const joins = clause.length > 0 && lexicon.isAnd(word);
    if (joins && begins(words, at + 1, lexicon)) {
      cut();
      continue;
    }
    clause.push(word);
  }
  cut();
  return clauses;
}

function begins(words: readonly string[], at: number, lexicon: Lexicon): boolean {
  const rest = words.slice(at, at + 6).filter((word) => word !== ',');
  const start = lexicon.isAnd(rest[0] ?? '') ? rest.slice(1) : rest;
  return lexicon.questions.endAtStart(plain(start.join(' '))) > 0;
}

/** Joins a part such as "what now" with the question before or after it. */
function withSubjects(parts: readonly Part[], lexicon: Lexicon, today: Today): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const belongs =
      before?.type === 'question' &&
      part.type === 'question' &&
      (isBare(before.question) ||
        isBare(part.question) ||
        // "I have toothache, can I come today" asks for no opening hours.
        (!before.question.isAsked && !hasSubject(part.question)));
    if (!belongs) {
      joined.push(part);
      continue;
    }
    const text = `${before.text} ${part.text}`;
    const question = questionOf(text, lexicon, today);
    const isAsked = before.question.isAsked || part.question.isAsked;
    joined[joined.length - 1] = { type: 'question', text, question: { ...question, isAsked } };
  }
  return joined;
}

const isBare = (question: Question): boolean =>
  !hasSubject(question) && question.days.size === 0 && question.kind !== 'where';
