import { isDuplicate, type Database } from './engine/database.ts';
import type { Encryptor } from './engine/encryption/encryptor.ts';
import { placeOf } from './keys/encrypted-columns.ts';

/**
 * The reply to a POST with an Idempotency-Key. The body may hold room tokens, so it is encrypted at
 * rest.
 */
export type Reply = { requestHash: string; status: number; body: string };

export interface ReplyRecords {
  /** Ignores replies stored at `since` or before. */
  find(accountId: string, key: string, since: number): Promise<Reply | null>;
  /** The first reply to a key wins. */
  keep(accountId: string, key: string, reply: Reply, now: number): Promise<void>;
  /** Frees a key last used at `until` or before. */
  release(accountId: string, key: string, until: number): Promise<void>;
  /** Deletes replies stored at `until` or before. */
  purge(until: number): Promise<void>;
}

/** Small enough not to delay other queries. */
const PURGE_BATCH = 500;

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
      const body = encryptor.decrypt(row.body_sealed, placeIn(accountId, key));
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
            body_sealed: encryptor.encrypt(reply.body, placeIn(accountId, key)),
            created_at: now,
          })
          .execute();
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    },

    async release(accountId, key, until) {
      // A process killed between the session and its reply leaves the key in the session only.
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
                .limit(PURGE_BATCH)
                .$asTuple('account_id', 'idempotency_key'),
            ),
          )
          .executeTakeFirstOrThrow();
        deleted = result.numDeletedRows;
      } while (deleted === BigInt(PURGE_BATCH));
    },
  };
}

const placeIn = (accountId: string, key: string): string =>
  placeOf('replies', 'body_sealed', accountId, key);
