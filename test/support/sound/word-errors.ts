const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];

/** Substituted, deleted and inserted words, as a share of the words said. */
export function wordErrorRate(pairs: readonly { script: string; transcript: string }[]): number {
  let errors = 0;
  let words = 0;
  for (const { script, transcript } of pairs) {
    errors += edits(wordsIn(script), wordsIn(transcript));
    words += wordsIn(script).length;
  }
  return errors / words;
}

/** Levenshtein distance. */
function edits(from: string[], to: string[]): number {
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (const [i, word] of from.entries()) {
    const nextRow = [i + 1];
    for (const [j, otherWord] of to.entries())
      nextRow.push(
        Math.min(row[j]! + (word === otherWord ? 0 : 1), row[j + 1]! + 1, nextRow[j]! + 1),
      );
    row = nextRow;
  }
  return row[to.length]!;
}
