/*
 * Texts that a caller chose, such as a visitor's name, for the system prompt. They are one line
 * without characters that a reader does not see, bounded and quoted, so that none can look like
 * another rule, open a tag or turn the direction of the text around it.
 */

/** In code points. A longer name is rarely a name. */
const MAX_LENGTH = 80;
/** A letter of any language has fewer marks. */
const MANY_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Control and format characters, unassigned and private ones, and all that has no picture. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Characters of rules, tags, code and quotations. */
const STRUCTURE = /[<>[\]{}`"“”„«»\\|#*]/g;

/** A JSON string for a prompt. Null if nothing readable is left. */
export function promptValue(text: string): string | null {
  const line = plainLine(text).replace(STRUCTURE, ' ').replace(/ +/g, ' ');
  const shortLine = Array.from(line).slice(0, MAX_LENGTH).join('').trim();
  return /[\p{L}\p{N}\p{S}]/u.test(shortLine) ? JSON.stringify(shortLine) : null;
}

/** One visible line. The input may be long: everything here takes linear time. */
export const plainLine = (text: string): string =>
  text
    .slice(0, 1_000)
    .toWellFormed()
    .normalize('NFC')
    // Before the unseen ones: line breaks are among them, and separate words.
    .replace(/\s/gu, ' ')
    .replace(UNSEEN, '')
    .replace(MANY_MARKS, '$1')
    .replace(/ +/g, ' ')
    .trim();
