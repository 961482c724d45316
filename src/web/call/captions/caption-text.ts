/** Time to read a complete sentence before it disappears. */
const READ_MS_PER_LETTER = 70;
const READ_MS_AT_LEAST = 2500;

export const readingMsOf = (text: string): number =>
  Math.max(READ_MS_AT_LEAST, text.length * READ_MS_PER_LETTER);

const CAPTION_LETTERS = 140;

/** The end of a long answer, from the start of a sentence if possible. */
export function captionText(text: string): string {
  const trimmedText = text.trim();
  if (trimmedText.length <= CAPTION_LETTERS) return trimmedText;
  const cut = trimmedText.slice(-CAPTION_LETTERS);
  const sentence = /[.!?]\s+(\S.*)$/s.exec(cut)?.[1];
  return sentence && sentence.length > CAPTION_LETTERS / 4 ? sentence : cut.replace(/^\S*\s/, '… ');
}
