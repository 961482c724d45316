/** Whether one letter is added, missing or wrong, or none. */
export function isWithinOneTypo(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = long.length === short.length ? at + 1 : at;
  return short.slice(rest) === long.slice(at + 1);
}
