/* What an agent without a language model says. */
import type { Understood } from './conversation.ts';
import { factsIn, type Fact, type Source } from './facts.ts';
import type { Intent, Replies } from './language.ts';
import type { Lexicon } from './lexicon.ts';
import { Offers } from './offers.ts';
import { plain } from './plain-text.ts';
import { completed, hasSubject, questionOf, type Question } from './question.ts';
import { Search } from './search.ts';

export type Reply = {
  text: string;
  /** False: it could not answer, and other passages may tell what it knows. */
  isAnswered: boolean;
};

export function replyTo(understood: Understood, sources: readonly Source[]): Reply {
  return new Replier(understood, sources).reply();
}

class Replier {
  readonly #understood: Understood;
  readonly #replies: Replies;
  readonly #sources: readonly Source[];
  #knowledge: Knowledge | null = null;

  constructor(understood: Understood, sources: readonly Source[]) {
    this.#understood = understood;
    this.#replies = understood.lexicon.language.replies;
    this.#sources = sources;
  }

  reply(): Reply {
    const { parts, lexicon } = this.#understood;
    const isQuestion = parts.some(({ type }) => type === 'question');
    const said: string[] = [];
    let before = this.#understood.before;
    let refused: Question | null = null;
    for (const [at, part] of parts.entries()) {
      if (part.type === 'talk') {
        add(said, this.#talk(part.intent, isQuestion));
        continue;
      }
      const question = completed(part.question, lexicon);
      const next = parts[at + 1];
      const isContext = !question.isAsked && next?.type === 'question' && next.question.isAsked;
      const answer = isContext
        ? null
        : (this.#answer(question, before) ?? this.#answerEach(part.text, before));
      if (answer !== null) {
        add(said, answer);
        // "I mean ..." after a question that was not understood.
        if (!question.isAsked) refused = null;
      } else if (question.isAsked || (!isContext && said.length === 0)) refused ??= question;
      if (hasSubject(question)) before = question;
    }
    if (parts.length === 0 || refused) add(said, this.#refusal(refused));
    return { text: lexicon.joined(said), isAnswered: !refused && parts.length > 0 };
  }

  #answer(question: Question, before: Question | null): string | null {
    const mayFollow = before !== null && (question.isFollowUp || !question.isAsked);
    return (
      (mayFollow ? this.#known.search.answer(question, before) : null) ??
      this.#known.search.answer(question)
    );
  }

  /** "Do you have Wi-Fi and parking": a fact for each. */
  #answerEach(text: string, before: Question | null): string | null {
    const { lexicon, now } = this.#understood;
    const things = lexicon.split(text);
    if (things.length < 2) return null;
    const today = (now.getDay() + 6) % 7;
    const answers = things.map((thing) =>
      this.#answer({ ...questionOf(thing, lexicon, today), isAsked: true }, before),
    );
    return answers.includes(null) ? null : lexicon.joined([...new Set(answers as string[])]);
  }

  #talk(intent: Intent, isQuestion: boolean): string {
    const { lines, agentName, lexicon, locale, now } = this.#understood;
    const replies = this.#replies;
    const askMe = this.#knowsAnything && !isQuestion ? replies.askMe : '';
    const dateOf = (format: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, format).format(now);
    switch (intent) {
      case 'greeting': {
        const isFirst = !isQuestion && !lines.some(({ sender }) => sender === 'agent');
        const greeting = isFirst ? named(replies.greeting, agentName) : replies.greetingAgain;
        return lexicon.joined([greeting, askMe]);
      }
      case 'name':
        return named(replies.name, agentName);
      case 'identity':
        return lexicon.joined([named(replies.identity, agentName), this.#limits]);
      case 'abilities':
        return this.#offer(this.#known.offers.list()) ?? this.#limits;
      case 'time':
        return replies.time.replace('{time}', dateOf({ timeStyle: 'short' }));
      case 'date':
        return replies.date.replace('{date}', dateOf({ dateStyle: 'full' }));
      case 'yes':
        return lexicon.joined([replies.agreed, askMe]);
      case 'no':
        return replies.agreed;
      case 'repeat':
        return lines.findLast(({ sender }) => sender === 'agent')?.text ?? replies.hearing;
      case 'wellBeing':
      case 'hearing':
        return lexicon.joined([replies[intent], askMe]);
      case 'thanks':
      case 'goodbye':
      case 'sad':
      case 'glad':
        return replies[intent];
    }
  }

  #refusal(question: Question | null): string {
    const nearest = question && this.#known.offers.nearest(question);
    const offer =
      nearest === null
        ? this.#offer(this.#known.offers.list())
        : this.#replies.nearest.replace('{topic}', () => nearest);
    const limits = this.#saidLimits ? '' : this.#limits;
    return this.#understood.lexicon.joined([this.#replies.unknown, limits, offer ?? '']);
  }

  get #knowsAnything(): boolean {
    return this.#understood.hasKnowledge || this.#known.facts.length > 0;
  }

  /** Read when it is needed: small talk needs none of it. */
  get #known(): Knowledge {
    this.#knowledge ??= knowledgeOf(this.#sources, this.#understood.lexicon);
    return this.#knowledge;
  }

  #offer(topics: string | null): string | null {
    return topics === null ? null : this.#replies.topics.replace('{topics}', () => topics);
  }

  get #limits(): string {
    return this.#knowsAnything ? this.#replies.noModel : this.#replies.noFacts;
  }

  get #saidLimits(): boolean {
    const limits = plain(this.#limits);
    return this.#understood.lines.some(
      ({ sender, text }) => sender === 'agent' && plain(text).includes(limits),
    );
  }
}

/** No sentence twice. */
function add(said: string[], text: string): void {
  if (said.some((each) => each.includes(text))) return;
  const part = said.findIndex((each) => text.includes(each));
  if (part < 0) said.push(text);
  else said[part] = text;
}

type Knowledge = { facts: readonly Fact[]; search: Search; offers: Offers };

function knowledgeOf(sources: readonly Source[], lexicon: Lexicon): Knowledge {
  const facts = factsIn(sources, lexicon);
  const search = new Search(facts, lexicon);
  return { facts, search, offers: new Offers(facts, search, lexicon) };
}

const named = (text: string, name: string): string => text.replace('{name}', () => name);
