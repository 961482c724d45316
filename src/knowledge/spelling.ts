/** Whether one letter is added, missing or wrong, or none. */
export function isWithinOneTypo(word: string, otherWord: string): boolean {
  const [short, long] = word.length < otherWord.length ? [word, otherWord] : [otherWord, word];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const end = long.length === short.length ? at + 1 : at;
  return short.slice(end) === long.slice(at + 1);
}
