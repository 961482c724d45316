import { newRecordId } from '#shared/ids.ts';
import type { Database } from './engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from './engine/pages.ts';
import type { RecordOf } from './engine/tables/columns.ts';
import { recordRows } from './engine/tables/record-rows.ts';
import { workerTokenColumns } from './engine/tables/worker-token-columns.ts';

export type WorkerTokenRecord = RecordOf<typeof workerTokenColumns>;

export type WorkerTokenLimits = Pick<WorkerTokenRecord, 'kind' | 'pool'>;

type NewWorkerToken = Omit<WorkerTokenRecord, 'id' | 'lastUsedAt' | 'revokedAt'>;

export interface WorkerTokenRecords {
  /** `hash`: SHA-256 of the token in hex. */
  add(token: NewWorkerToken & { hash: string }): Promise<WorkerTokenRecord>;
  /** Ignores revoked tokens. */
  findByHash(hash: string): Promise<WorkerTokenRecord | null>;
  /** Those of the ids whose tokens are not revoked. */
  liveAmong(ids: string[]): Promise<string[]>;
  page(request: PageRequest): Promise<Page<WorkerTokenRecord>>;
  used(id: string, at: number): Promise<void>;
  /** Idempotent. False if there is no such token. */
  revoke(id: string, now: number): Promise<boolean>;
}

const { toRow, toRecord } = recordRows(workerTokenColumns);

export function workerTokenRecords(db: Database, lists: Lists): WorkerTokenRecords {
  // Few are created, so `created_at` orders them.
  const listed = db
    .selectFrom('worker_tokens')
    .selectAll()
    .select('created_at as listed_at')
    .as('listed');
  return {
    async add({ hash, ...newToken }) {
      const token = { ...newToken, id: newRecordId(), lastUsedAt: null, revokedAt: null };
      await db
        .insertInto('worker_tokens')
        .values({ ...toRow(token), hash })
        .execute();
      return token;
    },

    async findByHash(hash) {
      const row = await db
        .selectFrom('worker_tokens')
        .selectAll()
        .where('hash', '=', hash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },

    async liveAmong(ids) {
      const rows = await db
        .selectFrom('worker_tokens')
        .select('id')
        .where('id', 'in', ids)
        .where('revoked_at', 'is', null)
        .execute();
      return rows.map(({ id }) => id);
    },

    async page(request) {
      const { data, nextCursor } = await lists.page('worker-tokens', request, (position, count) =>
        db
          .selectFrom(listed)
          .selectAll()
          .where(isAfter(position))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      );
      return { data: data.map(toRecord), nextCursor };
    },

    async used(id, at) {
      await db
        .updateTable('worker_tokens')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .execute();
    },

    async revoke(id, now) {
      const { numUpdatedRows } = await db
        .updateTable('worker_tokens')
        .set((token) => ({ revoked_at: token.fn.coalesce('revoked_at', token.val(now)) }))
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}
