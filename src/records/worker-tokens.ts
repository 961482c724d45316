import type { WorkerKind } from '#protocol/worker/worker-messages.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Database } from './engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from './engine/pages.ts';

/** Which workers may use a token. Null: all. */
export type WorkerTokenLimits = { kind: WorkerKind | null; pool: string | null };

export type WorkerTokenRecord = WorkerTokenLimits & {
  id: string;
  name: string;
  createdAt: number;
  /** Accurate to a minute. */
  lastUsedAt: number | null;
  revokedAt: number | null;
};

export interface WorkerTokenRecords {
  /** `hash`: SHA-256 of the token in hex. */
  add(
    token: WorkerTokenLimits & { name: string; hash: string; createdAt: number },
  ): Promise<WorkerTokenRecord>;
  /** Ignores revoked tokens. */
  findByHash(hash: string): Promise<WorkerTokenRecord | null>;
  page(request: PageRequest): Promise<Page<WorkerTokenRecord>>;
  used(id: string, at: number): Promise<void>;
  /** Idempotent. False if there is no such token. */
  revoke(id: string, now: number): Promise<boolean>;
}

const columns = [
  'id',
  'name',
  'kind',
  'pool',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'revoked_at as revokedAt',
] as const;

export function workerTokenRecords(db: Database, lists: Lists): WorkerTokenRecords {
  // Few are created, so `created_at` orders them.
  const listed = db
    .selectFrom('worker_tokens')
    .select([...columns, 'created_at as listed_at'])
    .as('listed');
  return {
    async add({ name, hash, kind, pool, createdAt }) {
      const id = newRecordId();
      await db
        .insertInto('worker_tokens')
        .values({ id, name, hash, kind, pool, created_at: createdAt })
        .execute();
      return { id, name, kind, pool, createdAt, lastUsedAt: null, revokedAt: null };
    },

    async findByHash(hash) {
      const row = await db
        .selectFrom('worker_tokens')
        .select(columns)
        .where('hash', '=', hash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return row ?? null;
    },

    page: (request) =>
      lists.page('worker-tokens', request, (position, count) =>
        db
          .selectFrom(listed)
          .selectAll()
          .where(isAfter(position))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      ),

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
