/* Sentences of a paragraph. */

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The end of a sentence that is none, because of an abbreviation. */
const ABBREVIATED =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|no|tel|nr|str|ca|approx|incl|bzw|z\. ?b|e\.g|i\.e|d\. ?h|vs|max|min|av|sr|sra|m|mme|ul|al|np|godz|\p{L})\.$/iu;
const LONGEST = 600;

export function sentencesIn(paragraph: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(paragraph)) {
    const sentence = segment
      .replace(/\s+/g, ' ')
      .replace(/\*\*|__|`/g, '')
      .trim();
    if (sentence === '') continue;
    const before = sentences.at(-1);
    const continues =
      before !== undefined &&
      before.length < LONGEST &&
      (ABBREVIATED.test(before.slice(-20)) || /^[\p{Ll}(]/u.test(sentence));
    if (continues) sentences[sentences.length - 1] = `${before} ${sentence}`.slice(0, LONGEST);
    else sentences.push(sentence.slice(0, LONGEST));
  }
  return sentences.filter((sentence) => sentence.length > 2);
}
