/** Beginnings of words that keep their hyphen where a line ends. */
const COMPOUNDS =
  /(?:^|[\s(\u201c"'])(?:all|anti|cross|e|ex|far|first|full|half|high|ill|in|long|low|mid|multi|non|off|on|one|open|out|part|post|pre|pro|read|real|second|self|semi|short|so|state|sub|third|three|two|up|user|well)$/iu;

/** German and others: the hyphen stands for the end of a later word. */
const CONJUNCTION = /^(?:and|or|und|oder|bis|to|et|ou|y|o|e|en|of)\b/iu;

/** Joins words that a hyphen breaks at the end of a line. Keeps hyphens that belong to a word. */
export function joinBrokenWords(text: string): string {
  return text
    .replaceAll(/\u00ad\n?/g, '')
    .replaceAll(
      /(?<!\S)(\S*\p{L})[-\u2010] *\n *(?=(\p{Ll}\S*))/gu,
      (whole, begin: string, end: string) => {
        if (CONJUNCTION.test(end)) return whole;
        const hyphenated = `${begin}-${end.replace(/(?<=\p{L})[^\p{L}]+$/u, '')}`;
        const isCompound =
          begin.includes('-') || COMPOUNDS.test(begin) || text.includes(hyphenated);
        return isCompound ? `${begin}-` : begin;
      },
    );
}
