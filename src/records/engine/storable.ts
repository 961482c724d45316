/** Replaces NUL by U+FFFD: PostgreSQL rejects it in text, and SQLite functions stop at it. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD');

export const storable = (value: unknown): unknown =>
  typeof value === 'string' ? storableText(value) : value;
