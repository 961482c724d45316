const WORDLIKE = /[\p{L}\p{N}]/u;
const segmenters = new Map<string, Intl.Segmenter>();

/** The words of a text, in lower case and without punctuation, also of Japanese and Chinese. */
export function wordsOf(text: string, language: string): string[] {
  return [...segmenterOf(language).segment(text.toLowerCase().replaceAll('’', "'"))]
    .filter(({ segment }) => WORDLIKE.test(segment))
    .map(({ segment }) => segment);
}

function segmenterOf(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: 'word' });
    segmenters.set(language, segmenter);
  }
  return segmenter;
}
