/** PostgreSQL's text cannot hold a NUL, and what SQLite holds after one is hard to get at: both keep U+FFFD in its place. */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
