/** Replacements for characters that flite cannot read. */
const replacements: [RegExp, string][] = [
  [/[\u2018\u2019\u02bc]/g, "'"],
  [/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"'],
  [/(?:(?<!\s)\s+)?[\u2013\u2014]\s*/g, ', '],
  [/\u2026/g, '...'],
  [/\u20ac/g, ' euros '],
  [/\u00a3/g, ' pounds '],
  [/\u00b0/g, ' degrees '],
  [/\u00b2/g, ' squared '],
  [/\u00b3/g, ' cubed '],
  [/\u00d7/g, ' times '],
  [/\u00f7/g, ' divided by '],
  [/\u00b1/g, ' plus or minus '],
  [/\u2264/g, ' at most '],
  [/\u2265/g, ' at least '],
  [/\u2260/g, ' is not '],
  [/\u2248/g, ' about '],
  [/\u221a/g, ' square root of '],
  [/\u221e/g, ' infinity '],
  [/\u03c0/g, ' pi '],
  [/[\u00df]/g, 'ss'],
  [/[\u00e6\u00c6]/g, 'ae'],
  [/[\u00f8\u00d8]/g, 'o'],
];

/** flite reads ASCII only: removes accents, and drops other scripts and emoji. */
export function toSpeakable(text: string): string {
  const replaced = replacements.reduce(
    (result, [sign, words]) => result.replace(sign, words),
    text,
  );
  return replaced
    .normalize('NFD')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Longer sentences are split at a comma or a space, so that audio starts soon. */
const LONGEST = 240;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The segmenter ends a sentence after these. */
const ENDS_IN_TITLE = /\b(?:Dr|Mr|Mrs|Ms|Prof|St|Mt)\.\s+$/;

/** Splits a text into sentences, which add up to it. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    if (ENDS_IN_TITLE.test(sentences.at(-1) ?? '')) sentences[sentences.length - 1] += segment;
    else sentences.push(segment);
  }
  return sentences;
}

/** Splits a text into sentences as typed. Drops those without a letter or digit. */
export function toSentences(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[a-z0-9]/i.test(toSpeakable(sentence)))
    .flatMap((sentence) => shorten(sentence));
}

function shorten(sentence: string): string[] {
  if (sentence.length <= LONGEST) return [sentence];
  const head = sentence.slice(0, LONGEST);
  const comma = head.lastIndexOf(', ') + 1;
  const space = head.lastIndexOf(' ');
  const cut = comma > LONGEST / 3 ? comma : space > 0 ? space : LONGEST;
  return [sentence.slice(0, cut).trim(), ...shorten(sentence.slice(cut).trim())];
}
