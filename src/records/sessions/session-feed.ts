/* Changes of an account's sessions, for event streams, which poll. */
import type { Selectable } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { SessionsTable } from '../engine/tables/tables.ts';
import { isAvatarSession, isLive } from './session-queries.ts';
import { sessionRows, type SessionRecord } from './session-row.ts';

export interface SessionFeed {
  /**
   * Sessions created, started or ended at `from` (in milliseconds) or later, each once, in any
   * order. Null if there are more than `max` of a kind.
   */
  since(accountId: string, from: number, max: number): Promise<SessionRecord[] | null>;
}

/** Three queries, each along an index. */
export function sessionFeed(db: Database, encryptor: Encryptor): SessionFeed {
  const { toRecord } = sessionRows(encryptor);
  return {
    async since(accountId, from, max) {
      const sessions = () =>
        db
          .selectFrom('sessions')
          .selectAll()
          .where('account_id', '=', accountId)
          .where(isAvatarSession)
          .limit(max + 1);
      const kinds: Selectable<SessionsTable>[][] = await Promise.all([
        // `listed_at` is in microseconds, and never before the creation.
        sessions()
          .where('listed_at', '>=', from * 1000)
          .execute(),
        sessions().where(isLive).where('started_at', '>=', from).execute(),
        sessions().where('ended_at', '>=', from).execute(),
      ]);
      if (kinds.some((rows) => rows.length > max)) return null;
      const rows = new Map(kinds.flat().map((row) => [row.id, row]));
      return [...rows.values()].map(toRecord);
    },
  };
}
