/** Replaces NUL by U+FFFD: PostgreSQL rejects it in text, and SQLite functions stop at it. */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
