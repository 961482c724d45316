/** Words of seven random letters, nearly all of them different. The same in every run. */
export function randomWords(bytes: number, seed = 1): Buffer {
  const text = Buffer.alloc(bytes, ' ');
  let state = Math.imul(seed + 1, 0x9e37_79b9);
  for (let at = 0; at < bytes; at += 1) {
    if (at % 8 === 7) continue;
    // Xorshift.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    text[at] = 0x61 + ((state >>> 8) % 26);
  }
  return text;
}
