/** Beginnings of words that keep their hyphen where a line ends. */
const COMPOUNDS =
  /(?:^|[\s(\u201c"'])(?:all|anti|cross|e|ex|far|first|full|half|high|ill|in|long|low|mid|multi|non|off|on|one|open|out|part|post|pre|pro|read|real|second|self|semi|short|so|state|sub|third|three|two|up|user|well)$/iu;

/** German and others: the hyphen stands for the end of a later word. */
const CONJUNCTION = /^(?:and|or|und|oder|bis|to|et|ou|y|o|e|en|of)\b/iu;

/** Two parts of a word with a hyphen between. Begins at the first letter only: linear in time. */
const HYPHENATED = /(?<!\p{L})(\p{L}+)-(?=(\p{L}+))/gu;

/** The beginning of a word before a hyphen that ends a line, and what follows. Linear in time. */
const BROKEN = /(?<!\S)(\S*\p{L})[-\u2010] *\n *(?=(\p{Ll}\S*))/gu;

/** Joins words that a hyphen breaks at the end of a line. Keeps hyphens that belong to a word. */
export function joinBrokenWords(text: string): string {
  const hyphenated = new Set(
    Array.from(text.matchAll(HYPHENATED), ([, begin, end]) => `${begin}-${end}`),
  );
  return text
    .replaceAll(/\u00ad\n?/g, '')
    .replaceAll(BROKEN, (whole, begin: string, end: string) => {
      if (CONJUNCTION.test(end)) return whole;
      const word = `${/(?<!\p{L})\p{L}+$/u.exec(begin)?.[0]}-${/^\p{L}+/u.exec(end)?.[0]}`;
      const isCompound = begin.includes('-') || COMPOUNDS.test(begin) || hyphenated.has(word);
      return isCompound ? `${begin}-` : begin;
    });
}
