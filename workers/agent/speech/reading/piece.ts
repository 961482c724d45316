/** A part of a text and how it is spoken. */
export type Piece = { written: string; spoken: string };

/**
 * A rule of reading: `read` gets a match with its groups, and returns the spoken words. Null: it is
 * something else.
 */
export type Rule = { pattern: RegExp; read: (match: RegExpExecArray) => string | null };

/** Applies rules in order. What one rule has read is not read again. */
export function readPieces(text: string, rules: readonly Rule[]): Piece[] {
  let parts: (Piece | string)[] = [text];
  for (const rule of rules)
    parts = parts.flatMap((part) => (typeof part === 'string' ? applied(part, rule) : [part]));
  return parts
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? { written: part, spoken: part } : part));
}

function applied(text: string, { pattern, read }: Rule): (Piece | string)[] {
  const parts: (Piece | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const spoken = read(match);
    if (spoken === null) continue;
    parts.push(text.slice(end, match.index), { written: match[0], spoken });
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
