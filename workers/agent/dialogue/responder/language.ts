/*
 * What the responder must know of a language, as data.
 *
 * A list of phrases is separated by commas. `*` at the start or end of a phrase stands for any
 * rest of a word, and `~` for up to a few words: `open*`, `send~back`.
 */

/** What visitors ask most businesses. */
export type TopicId =
  | ('hours' | 'address' | 'transit' | 'parking' | 'booking' | 'pets' | 'payment' | 'price')
  | ('delivery' | 'collection' | 'tracking' | 'returns' | 'refunds' | 'warranty' | 'contact')
  | ('wifi' | 'access' | 'children' | 'vegetarian' | 'allergies' | 'jobs' | 'toilets' | 'smoking')
  | ('outdoors' | 'vouchers' | 'takeaway' | 'cancelling' | 'owner' | 'discounts' | 'estimates')
  | ('holidays' | 'insurance');

export type Topic = {
  /** As in "I know about ...". */
  name: string;
  words: string;
  /** Only in a question, such as "where are you". */
  asked?: string;
  /** Only in a statement, such as "you find us". */
  told?: string;
  /** In a heading, in the key of a line such as "Hours: 9 to 5", or in a question. */
  headed?: string;
  /** Things of the topic that differ, such as dogs and cats. `contact`: phone, then e-mail. */
  kinds?: readonly string[];
};

/** `measure`: how often, how far, how big, how old. */
export type QuestionKind = 'when' | 'where' | 'howMuch' | 'howLong' | 'howMany' | 'measure' | 'who';

export type Intent =
  | ('greeting' | 'wellBeing' | 'thanks' | 'goodbye' | 'name' | 'identity' | 'abilities' | 'time')
  | ('date' | 'hearing' | 'sad' | 'glad' | 'yes' | 'no' | 'repeat');

export type Language = {
  tag: string;
  /** All nouns begin with a capital letter, not only names. */
  hasCapitalNouns?: true;
  /** Words that say nothing about the subject of a question. */
  fillers: string;
  /** What a business may be. Beside other words, they say little. */
  places: string;
  /** Of words; longer ones first. */
  endings: string;
  /** Irregular forms: `sold=sell`. */
  forms?: string;
  /** Begin a question. */
  questions: string;
  /** Join two questions, or two things in one. */
  and: string;
  /** Begin a question about the subject before. */
  followUps: string;
  /** Stand for a subject before. */
  pronouns: string;
  /** Begin an instruction to the agent in its prompt. */
  instructions: string;
  kinds: Record<QuestionKind, string>;
  /** From Monday. */
  days: readonly string[];
  /** Between the first and the last day. */
  until: string;
  everyDay: string;
  workdays: string;
  weekend: string;
  today: string;
  tomorrow: string;
  /** Numbers in letters that stand for a time or a length of time. */
  numbers: string;
  /** Words of a length of time. */
  durations: string;
  free: string;
  closed: string;
  /** Those that are offered first come first. */
  topics: Record<TopicId, Topic>;
  smallTalk: Record<Intent, string>;
  replies: Replies;
};

export type Replies = {
  /** `{name}` is the agent's. */
  greeting: string;
  greetingAgain: string;
  /** After a greeting, if the agent knows anything. */
  askMe: string;
  wellBeing: string;
  thanks: string;
  goodbye: string;
  name: string;
  identity: string;
  time: string;
  date: string;
  hearing: string;
  sad: string;
  glad: string;
  agreed: string;
  unknown: string;
  /** `{topics}`: a list of some that the agent knows. */
  topics: string;
  /** Offers the nearest `{topic}`. */
  nearest: string;
  /** Said once in a conversation. */
  noModel: string;
  /** The same, if the agent knows nothing. */
  noFacts: string;
};
