import { isDuplicate, type Database } from './engine/database.ts';
import type { Encryptor } from './engine/encryptor.ts';

/** What a POST with an Idempotency-Key was answered. The body may hold room tokens: sealed at rest. */
export type Reply = { requestHash: string; status: number; body: string };

export interface ReplyRecords {
  /** Only one that was kept after `since`. */
  find(accountId: string, key: string, since: number): Promise<Reply | null>;
  /** Keeps the first one: a second for the same key changes nothing. */
  keep(accountId: string, key: string, reply: Reply, now: number): Promise<void>;
  /** Frees a key that was last used at `until` or before: for other requests, and other sessions. */
  release(accountId: string, key: string, until: number): Promise<void>;
  /** Deletes what was kept at `until` or before. */
  purge(until: number): Promise<void>;
}

/** So few that others get their turn in between. */
const PURGED_AT_ONCE = 500;

export function replyRecords(db: Database, encryptor: Encryptor): ReplyRecords {
  return {
    async find(accountId, key, since) {
      const row = await db
        .selectFrom('replies')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('idempotency_key', '=', key)
        .where('created_at', '>', since)
        .executeTakeFirst();
      if (!row) return null;
      const body = encryptor.decrypt(row.body_sealed, placeOf(accountId, key));
      return { requestHash: row.request_hash, status: row.status, body };
    },

    async keep(accountId, key, reply, now) {
      try {
        await db
          .insertInto('replies')
          .values({
            account_id: accountId,
            idempotency_key: key,
            request_hash: reply.requestHash,
            status: reply.status,
            body_sealed: encryptor.encrypt(reply.body, placeOf(accountId, key)),
            created_at: now,
          })
          .execute();
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    },

    async release(accountId, key, until) {
      // A session may hold its key without a reply: the process was killed between the two.
      await db
        .updateTable('sessions')
        .set({ idempotency_key: null })
        .where('account_id', '=', accountId)
        .where('idempotency_key', '=', key)
        .where('created_at', '<=', until)
        .execute();
      await db
        .deleteFrom('replies')
        .where('account_id', '=', accountId)
        .where('idempotency_key', '=', key)
        .where('created_at', '<=', until)
        .execute();
    },

    async purge(until) {
      let deleted: bigint;
      do {
        const result = await db
          .deleteFrom('replies')
          .where((where) =>
            where(
              where.refTuple('account_id', 'idempotency_key'),
              'in',
              where
                .selectFrom('replies')
                .select(['account_id', 'idempotency_key'])
                .where('created_at', '<=', until)
                .limit(PURGED_AT_ONCE)
                .$asTuple('account_id', 'idempotency_key'),
            ),
          )
          .executeTakeFirstOrThrow();
        deleted = result.numDeletedRows;
      } while (deleted === BigInt(PURGED_AT_ONCE));
    },
  };
}

const placeOf = (accountId: string, key: string): string => `replies/${accountId}/${key}`;
