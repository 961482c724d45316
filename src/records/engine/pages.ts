/*
 * Keyset pagination, most recent first: rows added or deleted between two pages neither shift nor
 * repeat the rest. Cursors are signed for one list of one account and cannot be forged.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { sql, type Expression, type SqlBool } from 'kysely';
import { problem } from '../../errors.ts';

export type PageRequest = { limit: number; cursor?: string | null | undefined };
export type Page<Item> = { data: Item[]; nextCursor: string | null };

/** The last row of the page before; null for the first page. */
type Position = { listed_at: number; id: string } | null;

const MAC_BYTES = 12;

export class Lists {
  readonly #key: Buffer;
  #last = 0;

  /** Derives the signing key of cursors from the service's secret. */
  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'cursors', 32));
  }

  /**
   * The `listed_at` of a row created at `ms`: microseconds, so that rows of one millisecond are
   * ordered.
   */
  next(ms: number): number {
    return (this.#last = Math.max(Math.round(ms * 1000), this.#last + 1));
  }

  /**
   * `place` names the list, such as `sessions/<account>`. `select` returns up to `count` rows,
   * filtered by `isAfter` and ordered by `newestFirst`.
   */
  async page<Row extends { listed_at: number; id: string }>(
    place: string,
    { limit, cursor }: PageRequest,
    select: (position: Position, count: number) => Promise<Row[]>,
  ): Promise<Page<Row>> {
    const position = !cursor ? null : this.#read(place, cursor);
    // One extra row shows whether there is a next page.
    const rows = await select(position, limit + 1);
    const data = rows.slice(0, limit);
    const lastRow = rows.length > limit ? data.at(-1) : undefined;
    return { data, nextCursor: lastRow ? this.#write(place, lastRow) : null };
  }

  #write(place: string, { listed_at, id }: { listed_at: number; id: string }): string {
    const text = `${listed_at}:${id}`;
    return Buffer.concat([this.#mac(place, text), Buffer.from(text)]).toString('base64url');
  }

  #read(place: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const mac = bytes.subarray(0, MAC_BYTES);
    const text = bytes.subarray(MAC_BYTES).toString();
    const [, listedAt, id] = /^(\d{1,16}):(.+)$/.exec(text) ?? [];
    const isOurs =
      mac.length === MAC_BYTES &&
      timingSafeEqual(mac, this.#mac(place, text)) &&
      bytes.toString('base64url') === cursor;
    if (!isOurs || listedAt === undefined || id === undefined) {
      throw problem('invalid_cursor', ['query', 'cursor'], 'Not a cursor of this list.', cursor);
    }
    return { listed_at: Number(listedAt), id };
  }

  #mac(place: string, text: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${place}\n${text}`)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}

/** For `where`: rows after the last one of the previous page. */
export const isAfter = (position: Position): Expression<SqlBool> =>
  position === null
    ? sql<SqlBool>`1 = 1`
    : sql<SqlBool>`(listed_at < ${position.listed_at} or (listed_at = ${position.listed_at} and id < ${position.id}))`;

/** For `orderBy`. */
export const newestFirst = sql`listed_at desc, id desc`;
