import { piecesOf } from './reading/english.ts';

/** A sentence and the length of its sound. */
export type SpokenSentence = { text: string; seconds: number };

/** A sentence ends with breath: an interruption within it counts as heard to the end. */
const BREATH_S = 0.1;

/**
 * The text heard when playback stopped at a position: whole sentences, and the spoken
 * words of the last one.
 */
export function heardText(sentences: readonly SpokenSentence[], positionSeconds: number): string {
  const texts: string[] = [];
  let endsAt = 0;
  for (const { text, seconds } of sentences) {
    const startsAt = endsAt;
    endsAt += seconds;
    if (positionSeconds < endsAt - BREATH_S) {
      texts.push(wordsWithin(text, (positionSeconds - startsAt) / seconds));
      break;
    }
    texts.push(text);
  }
  return texts.filter(Boolean).join(' ');
}

/** Time until the end of the sentence at a position; 0 if there is none. */
export function secondsToSentenceEnd(
  sentences: readonly SpokenSentence[],
  positionSeconds: number,
): number {
  let endsAt = 0;
  for (const { seconds } of sentences) {
    endsAt += seconds;
    if (positionSeconds < endsAt) return endsAt - positionSeconds;
  }
  return 0;
}

/** The rest of the text after the heard part. */
export function unheardText(sentences: readonly SpokenSentence[], positionSeconds: number): string {
  const fullText = sentences.map(({ text }) => text).join(' ');
  return fullText.slice(heardText(sentences, positionSeconds).length).trim();
}

/** Counts a word if all of it was spoken. */
function wordsWithin(text: string, share: number): string {
  const characters = charactersWithin(text, share);
  if (characters >= text.length) return text;
  const cut = text.slice(0, characters + 1);
  return cut.slice(0, Math.max(0, cut.search(/\s\S*$/))).trimEnd();
}

/**
 * Assumes equal length for all letters of the spoken words. English ones serve for any language:
 * its numbers and signs also take longer than they are written.
 */
function charactersWithin(text: string, share: number): number {
  const pieces = piecesOf(text);
  let left = Math.floor(pieces.reduce((sum, { spoken }) => sum + spoken.length, 0) * share);
  let characters = 0;
  for (const { written, spoken } of pieces) {
    if (left < spoken.length) return characters + (written === spoken ? left : 0);
    left -= spoken.length;
    characters += written.length;
  }
  return characters;
}
