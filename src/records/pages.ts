/* Pages over rows that are only ever added: ordered by a rising number, continued after the last row shown. */
import { problem } from '../errors.ts';

export type PageRequest = { limit: number; cursor?: string | undefined };
export type Page<Item> = { data: Item[]; nextCursor: string | null };

export const writeCursor = (row: { listed_at: number; id: string }): string =>
  Buffer.from(`${row.listed_at}:${row.id}`).toString('base64url');

export function readCursor(cursor: string): { listedAt: number; id: string } {
  const found = /^(\d{1,16}):([0-9a-zA-Z-]{1,64})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  );
  if (!found?.[1] || !found[2]) {
    throw problem('invalid_cursor', ['query', 'cursor'], 'Not a cursor of this list.', cursor);
  }
  return { listedAt: Number(found[1]), id: found[2] };
}

/** Sessions made in one millisecond still have an order. */
export function risingMicroseconds(): (ms: number) => number {
  let last = 0;
  return (ms) => (last = Math.max(Math.round(ms * 1000), last + 1));
}
