/* Greetings, thanks and the like, alone or before a question. */
import type { Intent } from './language.ts';
import type { Lexicon } from './lexicon.ts';
import { plain, wordsOf } from './plain-text.ts';

/** May stand before a question in the same breath: "Hi Nora when do you open". */
const BEFORE_QUESTIONS: ReadonlySet<Intent> = new Set(['greeting', 'thanks', 'yes', 'no']);

export type SmallTalk = { intents: Intent[]; rest: string };

/** `name`: the agent's. `rest`: the question that follows, or empty. */
export function smallTalkIn(clause: string, name: string, lexicon: Lexicon): SmallTalk {
  const names = new Set(wordsOf(plain(name), lexicon.language.tag));
  if (wordsOf(plain(clause), lexicon.language.tag).every((word) => names.has(word)))
    return { intents: [], rest: '' };
  const whole = intentOf(plain(clause), names, lexicon);
  if (whole) return { intents: [whole], rest: '' };
  const opening = openingOf(clause, names, lexicon);
  if (!opening) return { intents: [], rest: clause };
  const after = smallTalkIn(opening.rest, name, lexicon);
  // "Yes, when do you open?" needs no reply to the yes.
  const intents = opening.intent === 'yes' || opening.intent === 'no' ? [] : [opening.intent];
  return { intents: [...intents, ...after.intents], rest: after.rest };
}

/** The clause holds nothing else that matters. */
function intentOf(
  plainClause: string,
  names: ReadonlySet<string>,
  lexicon: Lexicon,
  mayHold: 'fillers' | 'names' = 'fillers',
): Intent | null {
  const { ids, rest } = lexicon.smallTalk.take(plainClause);
  const [longest, second] = ids;
  if (longest === undefined) return null;
  const others = wordsOf(rest, lexicon.language.tag).filter((word) => !names.has(word));
  if (!others.every((word) => mayHold === 'fillers' && lexicon.isFiller(word))) return null;
  // "Hello, how are you?" is more than a greeting.
  return longest === 'greeting' && second ? second : longest;
}

function openingOf(
  clause: string,
  names: ReadonlySet<string>,
  lexicon: Lexicon,
): { intent: Intent; rest: string } | null {
  const words = clause.split(/\s+/);
  for (let count = Math.min(4, words.length - 1); count > 0; count -= 1) {
    const start = words.slice(0, count).join(' ');
    const intent = intentOf(plain(start), names, lexicon, 'names');
    if (intent && BEFORE_QUESTIONS.has(intent))
      return { intent, rest: words.slice(count).join(' ') };
  }
  return null;
}
