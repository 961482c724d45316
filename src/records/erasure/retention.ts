/*
 * Deletes what is older than its retention, in small batches. Age counts from the beginning of a
 * session or call; only those that are over are deleted.
 */
import type { Database, Transaction } from '../engine/database.ts';
import { eraseCalls, eraseSessions, eraseWords, isOver } from './conversations.ts';
import { addErased, type Erased } from './erased.ts';

export const RETENTION_KINDS = [
  'calls',
  'deliveries',
  'sessions',
  'timelines',
  'transcripts',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

type Batch = {
  accountId: string;
  kind: RetentionKind;
  /** Milliseconds since the epoch. */
  before: number;
  /** `next` of the batch before; 0 at first. */
  from: number;
  count: number;
  now: number;
};

/** `next`: where the following batch begins; null: nothing is left. */
type Swept = { erased: Erased; next: number | null };

export interface RetentionRecords {
  sweep(batch: Batch): Promise<Swept>;
  /** Deletes usage that no longer counts, and former webhook secrets. */
  sweepLeftovers(now: number): Promise<void>;
}

const USAGE_KEPT_MS = 64 * 86_400_000;

export function retentionRecords(db: Database): RetentionRecords {
  return {
    async sweep(batch) {
      const { rows, erased } = await db.transaction().execute((trx) => erase(trx, batch));
      const lastRow = rows.length === batch.count ? rows.at(-1) : undefined;
      return { erased, next: lastRow?.listed_at ?? null };
    },

    async sweepLeftovers(now) {
      await db
        .deleteFrom('deleted_usage')
        .where('ended_at', '<', now - USAGE_KEPT_MS)
        .execute();
      await db
        .updateTable('webhooks')
        .set({ former_secret_sealed: null, former_secret_until: null })
        .where('former_secret_until', '<=', now)
        .execute();
    },
  };
}

type Row = { id: string; listed_at: number };

async function erase(trx: Transaction, batch: Batch): Promise<{ rows: Row[]; erased: Erased }> {
  const { accountId, now } = batch;
  switch (batch.kind) {
    case 'sessions': {
      const rows = await older(trx, 'sessions', batch);
      return { rows, erased: await eraseSessions(trx, accountId, idsOf(rows), now) };
    }
    case 'calls': {
      const rows = await older(trx, 'calls', batch);
      return { rows, erased: await eraseCalls(trx, accountId, idsOf(rows), now) };
    }
    case 'transcripts': {
      const rows = await older(trx, 'calls', batch);
      const messages = await eraseWords(trx, idsOf(rows));
      return { rows, erased: addErased({ messages }, {}) };
    }
    case 'timelines': {
      const rows = await older(trx, 'sessions', batch);
      return { rows, erased: await eraseTimelines(trx, idsOf(rows)) };
    }
    case 'deliveries':
      return eraseOldEvents(trx, batch);
  }
}

/** Completed calls or sessions, oldest first. */
const older = (
  trx: Transaction,
  table: 'calls' | 'sessions',
  { accountId, before, from, count }: Batch,
): Promise<Row[]> =>
  trx
    .selectFrom(table)
    .select(['id', 'listed_at'])
    .where('account_id', '=', accountId)
    .where('listed_at', '>', from)
    // `listed_at` is in microseconds.
    .where('listed_at', '<', before * 1000)
    .where(isOver)
    .orderBy('listed_at')
    .limit(count)
    .execute();

const idsOf = (rows: Row[]): string[] => rows.map(({ id }) => id);

async function eraseTimelines(trx: Transaction, sessionIds: string[]): Promise<Erased> {
  if (sessionIds.length === 0) return {};
  const { numDeletedRows } = await trx
    .deleteFrom('timeline_parts')
    .where('session_id', 'in', sessionIds)
    .executeTakeFirstOrThrow();
  return addErased({ timelines: Number(numDeletedRows) }, {});
}

/** Delivered or not. Deliveries are deleted with their event. */
async function eraseOldEvents(trx: Transaction, { accountId, before, count }: Batch) {
  const rows = await trx
    .selectFrom('events')
    .select(['id', 'created_at as listed_at'])
    .where('account_id', '=', accountId)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(count)
    .execute();
  if (rows.length === 0) return { rows, erased: {} };
  const { numDeletedRows } = await trx
    .deleteFrom('events')
    .where('id', 'in', idsOf(rows))
    .executeTakeFirstOrThrow();
  return { rows, erased: addErased({ events: Number(numDeletedRows) }, {}) };
}
