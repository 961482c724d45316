/* The meaning of words that a user says while the agent speaks. */
import type { TurnTaking } from '#protocol/voice/turn-taking.ts';
import { turnWordsOf } from './turn-words.ts';
import { wordsOf } from './words.ts';

export type OverlapKind =
  /** No words, or what recognisers make of noise. */
  | 'nothing'
  /** The agent's own words, from the user's loudspeaker. */
  | 'echo'
  /** "Mhm", "yes", "okay", and other short remarks that ask for nothing. */
  | 'backchannel'
  /** Too little to tell. */
  | 'undecided'
  | 'interruption'
  /** Only tells the agent to be quiet: "wait", "stop". */
  | 'command';

export const interrupts = (kind: OverlapKind): boolean =>
  kind === 'interruption' || kind === 'command';

export type OverlapFacts = {
  language: string;
  /** Least probability of the last words. */
  certainty: number;
  /** The agent's current speech. */
  agentText: string;
  interruptibility: TurnTaking['interruptibility'];
  /** The user has paused: no word of the text is cut off. */
  isOver: boolean;
};

/** Of the words that are heard. Less may be chance. */
const ECHO_SHARE = 0.6;
const WINDOW_SLACK = 3;
/** Words that the user must add before a less interruptible agent yields. */
const LEAST_WORDS = { low: 5, medium: 3, high: 1 };
/** Recognisers make words of half an aside, but are not sure of them. */
const CERTAIN = 0.5;

export function overlapKind(text: string, facts: OverlapFacts): OverlapKind {
  const { language, certainty, agentText, interruptibility, isOver } = facts;
  const { asides, backchannels, commands, questions, noise } = turnWordsOf(language);
  const heardWords = wordsOf(text, language).filter((word) => !noise.has(word));
  // The last word of speech that goes on may be half a word.
  const wholeWords = isOver ? heardWords : heardWords.slice(0, -1);
  const agentWords = wordsOf(agentText, language);
  const words = withoutEcho(wholeWords, agentWords);
  if (words.length === 0) {
    if (wholeWords.length > 0) return 'echo';
    return isOver || heardWords.length === 0 ? 'nothing' : 'undecided';
  }

  const content = withoutPhrases(words, asides).filter((word) => !backchannels.has(word));
  if (content.length === 0) return 'backchannel';
  const afterCommand = withoutPhrases(content, commands);
  if (afterCommand.length === 0) return 'command';
  const isObjection =
    afterCommand.length < content.length || questions.has(content[0]!) || /[?？]\s*$/.test(text);
  if (isObjection && (isOver || content.length > 1)) return 'interruption';
  // A recogniser may add words of the echo to an aside.
  const isAside = content.length < words.length && commonIn(content, agentWords).every(Boolean);
  if (isAside) return 'backchannel';
  const isClear = isOver || certainty >= CERTAIN;
  if (isClear && content.length >= LEAST_WORDS[interruptibility]) return 'interruption';
  return isOver ? 'backchannel' : 'undecided';
}

/** `phrases`: longest first. */
function withoutPhrases(words: readonly string[], phrases: readonly string[]): string[] {
  let text = ` ${words.join(' ')} `;
  for (const phrase of phrases) text = text.replaceAll(` ${phrase} `, ' ');
  return text.trim().split(' ').filter(Boolean);
}

/**
 * Without what the agent says. A recogniser mishears the echo, so most words of it suffice, in the
 * agent's order and close together.
 */
function withoutEcho(words: readonly string[], agentWords: readonly string[]): string[] {
  let best: readonly boolean[] = [];
  let most = 0;
  for (let from = 0; from < agentWords.length; from++) {
    const window = agentWords.slice(from, from + words.length + WINDOW_SLACK);
    const isEcho = commonIn(words, window);
    const count = isEcho.filter(Boolean).length;
    if (count > most) [best, most] = [isEcho, count];
  }
  const isEnough = most >= 2 && most >= ECHO_SHARE * words.length;
  if (!isEnough) return [...words];
  // What is misheard between words of the echo is echo, too.
  return [...words.slice(0, best.indexOf(true)), ...words.slice(best.lastIndexOf(true) + 1)];
}

/** Marks the words of the longest common subsequence. */
function commonIn(words: readonly string[], others: readonly string[]): boolean[] {
  const lengths = Array.from({ length: words.length + 1 }, () =>
    Array.from({ length: others.length + 1 }, () => 0),
  );
  for (let i = words.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--)
      lengths[i]![j] =
        words[i] === others[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const isCommon = words.map(() => false);
  for (let i = 0, j = 0; i < words.length && j < others.length;) {
    if (words[i] === others[j]) {
      isCommon[i] = true;
      i++;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return isCommon;
}
