import type { Selectable } from 'kysely';
import { isDuplicate, type Database, type SessionsTable } from './database.ts';
import {
  readCursor,
  risingMicroseconds,
  writeCursor,
  type Page,
  type PageRequest,
} from './pages.ts';
import type { Seal } from './sealed.ts';
import { toRecord, toRow, type SessionRecord } from './session-row.ts';

export type { Page, PageRequest } from './pages.ts';
export type { SessionRecord } from './session-row.ts';

export type SessionStateFields = Pick<
  SessionRecord,
  'status' | 'startedAt' | 'endedAt' | 'endReason'
>;

/** This session, or one with the same idempotency key, is already recorded. */
export class SessionExists extends Error {
  override readonly name = 'SessionExists';
}

export interface SessionRecords {
  /** Throws `SessionExists` on a second one with the same id or idempotency key. */
  insert(record: SessionRecord): Promise<void>;
  find(accountId: string, id: string): Promise<SessionRecord | null>;
  findLiveByFingerprint(accountId: string, fingerprint: string): Promise<SessionRecord | null>;
  findByIdempotencyKey(accountId: string, key: string): Promise<SessionRecord | null>;
  /** Most recent first. Rows that are added while a caller pages neither shift nor repeat what follows. */
  page(accountId: string, request: PageRequest): Promise<Page<SessionRecord>>;
  updateState(id: string, fields: SessionStateFields): Promise<void>;
  updatePlacement(id: string, placement: { epoch: number; workerId: string | null }): Promise<void>;
  /** All that are not completed, oldest first: for recovery after a restart. */
  live(): Promise<SessionRecord[]>;
}

export function sessionRecords(db: Database, seal: Seal): SessionRecords {
  const nextListing = risingMicroseconds();
  const read = (row: Selectable<SessionsTable>) => toRecord(row, seal);
  const readOne = (row: Selectable<SessionsTable> | undefined) => (row ? read(row) : null);
  const ofAccount = (accountId: string) =>
    db.selectFrom('sessions').selectAll().where('account_id', '=', accountId);

  return {
    async insert(record) {
      const row = { ...toRow(record, seal), listed_at: nextListing(record.createdAt) };
      try {
        await db.insertInto('sessions').values(row).execute();
      } catch (error) {
        if (isDuplicate(error)) throw new SessionExists('This session exists.', { cause: error });
        throw error;
      }
    },

    async find(accountId, id) {
      return readOne(await ofAccount(accountId).where('id', '=', id).executeTakeFirst());
    },

    async findLiveByFingerprint(accountId, fingerprint) {
      const row = await ofAccount(accountId)
        .where('token_fingerprint', '=', fingerprint)
        .where('status', '<>', 'completed')
        .orderBy('listed_at', 'desc')
        .executeTakeFirst();
      return readOne(row);
    },

    async findByIdempotencyKey(accountId, key) {
      return readOne(
        await ofAccount(accountId).where('idempotency_key', '=', key).executeTakeFirst(),
      );
    },

    async page(accountId, { limit, cursor }) {
      let query = ofAccount(accountId)
        .orderBy('listed_at', 'desc')
        .orderBy('id', 'desc')
        // One more than asked for says whether there is a next page.
        .limit(limit + 1);
      if (cursor) {
        const { listedAt, id } = readCursor(cursor);
        query = query.where((where) =>
          where.or([
            where('listed_at', '<', listedAt),
            where.and([where('listed_at', '=', listedAt), where('id', '<', id)]),
          ]),
        );
      }
      const rows = await query.execute();
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return { data: shown.map(read), nextCursor: last ? writeCursor(last) : null };
    },

    async updateState(id, fields) {
      await db
        .updateTable('sessions')
        .set({
          status: fields.status,
          started_at: fields.startedAt,
          ended_at: fields.endedAt,
          end_reason: fields.endReason,
        })
        .where('id', '=', id)
        // A completed session never changes, whatever arrives late.
        .where('status', '<>', 'completed')
        .execute();
    },

    async updatePlacement(id, { epoch, workerId }) {
      await db
        .updateTable('sessions')
        .set({ epoch, worker_id: workerId })
        .where('id', '=', id)
        .where('epoch', '<=', epoch)
        .execute();
    },

    async live() {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('status', '<>', 'completed')
        .orderBy('listed_at')
        .execute();
      return rows.map(read);
    },
  };
}
