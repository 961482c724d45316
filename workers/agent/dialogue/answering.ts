import { baseLanguage } from '#protocol/languages.ts';

/** A text to quote; the prompt has no name. */
export type Source = { name: string | null; text: string };

type AnsweringFacts = { agentName: string; language: string; sources: readonly Source[] };

/** Minimum share of the question's weight that a sentence must contain. */
const ENOUGH = 0.4;
/** A second sentence is quoted if its score is at least this share of the first one's. */
const ALSO = 0.75;
const SPOKEN_AT_MOST = 2;
/**
 * In characters. A longer question is more than a greeting, and the patterns of greetings may take
 * time that grows with the square of its length.
 */
const LONGEST_GREETING = 200;

/**
 * Quotes the sentences that fit the question best, with their source, or says that there are none.
 * Replies to greetings and thanks.
 */
export function answerFrom(question: string, facts: AnsweringFacts): string {
  const words = wordsIn(facts.language);
  const polite = politeReply(question.trim(), words.replies);
  if (polite) return polite.say(facts.agentName);

  const best = bestSentences(question, facts.sources, words.unimportant);
  const [bestSentence] = best;
  if (!bestSentence) return words.nothing;
  const quoted = best.map(({ text }) => text).join(' ');
  return bestSentence.source.name === null
    ? quoted
    : words.from(plainName(bestSentence.source.name), quoted);
}

const politeReply = (question: string, replies: readonly Reply[]): Reply | undefined =>
  question.length > LONGEST_GREETING ? undefined : replies.find(({ to }) => to.test(question));

type Candidate = { text: string; source: Source; score: number };

function bestSentences(
  question: string,
  sources: readonly Source[],
  unimportant: ReadonlySet<string>,
): Candidate[] {
  const sentences = sources.flatMap((source) =>
    sentencesIn(source.text)
      // Instructions to the agent are not answers.
      .filter((text) => source.name !== null || !isInstruction(text))
      .map((text) => ({ text, source, terms: new Set(termsOf(text)) })),
  );
  /** Number of sentences that hold each asked term. */
  const holding = new Map(
    termsOf(question)
      .filter((term) => !unimportant.has(term))
      .map((term) => [term, 0]),
  );
  for (const { terms } of sentences) {
    for (const term of terms) {
      const count = holding.get(term);
      if (count !== undefined) holding.set(term, count + 1);
    }
  }
  const weightOf = (term: string) => {
    const count = holding.get(term);
    return count === undefined ? 0 : Math.log(1 + (sentences.length + 1) / (count + 0.5));
  };
  const sum = (terms: Iterable<string>) => {
    let total = 0;
    for (const term of terms) total += weightOf(term);
    return total;
  };
  const totalWeight = sum(holding.keys());
  if (totalWeight === 0) return [];

  const scored = sentences
    .map(({ text, source, terms }) => ({ text, source, score: sum(terms) / totalWeight }))
    .filter(({ score }) => score >= ENOUGH)
    .toSorted((a, b) => b.score - a.score);
  const top = scored[0];
  if (!top) return [];
  return scored
    .filter(({ score, source }) => source === top.source && score >= top.score * ALSO)
    .slice(0, SPOKEN_AT_MOST);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

const sentencesIn = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment.replace(/\s+/g, ' ').trim()).filter(
    (sentence) => sentence.length > 2,
  );

const isInstruction = (sentence: string): boolean =>
  /^(you('| a)?re?\b|you\b|your (job|task|role)|never|always|do not|don't|please|be\b|speak|answer|act|keep|if\b|when\b)/i.test(
    sentence,
  );

/** Words without common endings, so that `opening` matches `opens`. */
function termsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .normalize('NFD')
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).map((word) =>
    word.length > 4 ? word.replace(/(ing|ed|es|s|en|er|e|n)$/, '') : word,
  );
}

/** `opening-hours.txt` becomes `opening hours`. */
const plainName = (file: string): string =>
  file
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();

type Reply = { to: RegExp; say: (agentName: string) => string };

type Words = {
  unimportant: ReadonlySet<string>;
  replies: Reply[];
  nothing: string;
  from: (source: string, quoted: string) => string;
};

const bag = (text: string): ReadonlySet<string> => new Set(termsOf(text));

const english: Words = {
  unimportant: bag(
    'a an and are as at be been but by can could did do does for from had has have he her his how i in is it its me my of on or our she should so tell that the their them there they this to us was we were what when where which who why will with would you your about please know say give there any some',
  ),
  replies: [
    {
      to: /^(hi|hello|hey|good (morning|afternoon|evening))\b[\s\p{P}]*(there[\s\p{P}]*)?$/iu,
      say: (name) =>
        `Hello, I am ${name}. Ask me a question, and I look for the answer in my files.`,
    },
    { to: /^(many )?(thanks|thank you)\b.{0,30}$/i, say: () => 'You are welcome.' },
    { to: /^(good ?bye|bye|see you)\b.{0,20}$/i, say: () => 'Goodbye!' },
    {
      to: /\b(who|what) are you\b|\bwhat can you do\b|\bare you (a |an )?(human|real|robot|bot|ai|person|machine)\b/i,
      say: (name) =>
        `I am ${name}, an AI avatar without a language model. I can answer from the files that I was given, in their own words.`,
    },
  ],
  nothing:
    'I found nothing about that in my files. I can only answer from them, so perhaps ask in other words.',
  from: (source, quoted) => `In ${source} I read: ${quoted}`,
};

const german: Words = {
  unimportant: bag(
    'aber als am an auch auf aus bei bin bis bist da das dass dein dem den der des die doch du ein eine einem einen einer er es für habe haben hat ich ihr im in ist ja kann kannst mein mich mir mit nach nicht noch oder sagen sein sich sie sind so über um und uns von vom war was welche welcher wer wie wir wird wo zu zum zur bitte',
  ),
  replies: [
    {
      to: /^(hallo|hi|guten (morgen|tag|abend)|servus|moin)[\s\p{P}]*$/iu,
      say: (name) =>
        `Hallo, ich bin ${name}. Fragen Sie mich, und ich sehe in meinen Dateien nach.`,
    },
    { to: /^(vielen )?dank.{0,20}$|^danke\b.{0,20}$/i, say: () => 'Gern geschehen.' },
    { to: /^(auf wiedersehen|tschüss|bis bald)\b.{0,20}$/i, say: () => 'Auf Wiedersehen!' },
    {
      to: /\b(wer|was) (bist du|sind sie)\b|\bwas (kannst du|können sie)\b/i,
      say: (name) =>
        `Ich bin ${name}, ein KI-Avatar ohne Sprachmodell. Ich kann aus den Dateien antworten, die ich bekommen habe, in deren eigenen Worten.`,
    },
  ],
  nothing:
    'Dazu habe ich in meinen Dateien nichts gefunden. Ich kann nur aus ihnen antworten; vielleicht fragen Sie es anders.',
  from: (source, quoted) => `In ${source} steht: ${quoted}`,
};

const byLanguage: Record<string, Words> = { en: english, de: german };

const wordsIn = (language: string): Words => byLanguage[baseLanguage(language)] ?? english;
