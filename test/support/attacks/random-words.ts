/** Words of seven random letters. The same in every run. */
export function randomWords(bytes: number, seed = 1): Buffer {
  const text = Buffer.alloc(bytes, ' ');
  let state = seed;
  for (let at = 0; at < bytes; at += 1) {
    if (at % 8 === 7) continue;
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    text[at] = 0x61 + (Math.floor(state / 2 ** 12) % 26);
  }
  return text;
}
