import { isDuplicate, type Database } from './database.ts';
import type { Seal } from './sealed.ts';

/** What a POST with an Idempotency-Key was answered. The body may hold room tokens: sealed at rest. */
export type Reply = { requestHash: string; status: number; body: string };

export interface ReplyRecords {
  find(accountId: string, key: string): Promise<Reply | null>;
  /** Keeps the first one: a second for the same key changes nothing. */
  keep(accountId: string, key: string, reply: Reply, now: number): Promise<void>;
}

export function replyRecords(db: Database, seal: Seal): ReplyRecords {
  return {
    async find(accountId, key) {
      const row = await db
        .selectFrom('replies')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('idempotency_key', '=', key)
        .executeTakeFirst();
      if (!row) return null;
      const body = seal.open(row.body_sealed, placeOf(accountId, key));
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
            body_sealed: seal.seal(reply.body, placeOf(accountId, key)),
            created_at: now,
          })
          .execute();
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    },
  };
}

const placeOf = (accountId: string, key: string): string => `replies/${accountId}/${key}`;
