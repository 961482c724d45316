import type { Rating } from '#protocol/call-ratings.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { callColumns, type CallEvaluation } from '../engine/tables/call-columns.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';

export type { CallEvaluation } from '../engine/tables/call-columns.ts';

export type CallRecord = RecordOf<typeof callColumns>;

export type CallRating = { rating: Rating; ratingComment: string | null };

/** A call must match every field. */
export type CallFilter = {
  /** Deleted or not. */
  agentId?: string | undefined;
  rating?: Rating | undefined;
};

export type VisitorsOf = { agentId: string } | { openedFrom: string };

type CallState = Pick<CallRecord, 'status' | 'startedAt' | 'endedAt'>;

export interface CallRecords {
  insert(trx: Transaction, record: CallRecord): Promise<void>;
  find(accountId: string, id: string): Promise<CallRecord | null>;
  /** A call with this agent, deleted or not. Ignores the owner. */
  ofAgent(agentId: string, id: string): Promise<CallRecord | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest, filter?: CallFilter): Promise<Page<CallRecord>>;
  /** Ignores the owner. */
  findAny(id: string): Promise<CallRecord | null>;
  /** Like `findAny`, but throws if there is no such call. */
  get(trx: Transaction, id: string): Promise<CallRecord>;
  /** A call that becomes completed is queued for evaluation. */
  move(trx: Transaction, id: string, state: CallState): Promise<CallRecord>;
  /** `alongside` runs in the same transaction. Does nothing if there is no such call. */
  rate(
    id: string,
    rating: CallRating,
    alongside: (trx: Transaction, call: CallRecord) => Promise<void>,
  ): Promise<void>;
  /** Number of open calls of visitors. */
  countOfVisitors(of: VisitorsOf, trx?: Transaction): Promise<number>;
  /** Ids of all calls that ended before then and wait for their evaluation. */
  toEvaluate(cutoff: number): Promise<string[]>;
  /** Does nothing if the call has been evaluated. `alongside` runs in the same transaction. */
  keepEvaluation(
    id: string,
    evaluation: CallEvaluation,
    alongside: (trx: Transaction, call: CallRecord) => Promise<void>,
  ): Promise<void>;
}

export function callRecords(db: Database, encryptor: Encryptor, lists: Lists): CallRecords {
  const rows = recordRows(callColumns, { table: 'calls', encryptor });
  const { toRecord: read, toRow, toColumns } = rows;
  const ofAccount = (accountId: string) =>
    db.selectFrom('calls').selectAll().where('account_id', '=', accountId);

  return {
    async insert(trx, record) {
      const row = { ...toRow(record), listed_at: lists.next(record.createdAt) };
      await trx.insertInto('calls').values(row).execute();
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? read(row) : null;
    },

    async ofAgent(agentId, id) {
      const calls = db.selectFrom('calls').selectAll().where('agent_id', '=', agentId);
      const row = await calls.where('id', '=', id).executeTakeFirst();
      return row ? read(row) : null;
    },

    async page(accountId, request, { agentId, rating } = {}) {
      let calls = ofAccount(accountId);
      // A cursor is not valid with another filter.
      let place = `calls/${accountId}`;
      if (agentId !== undefined) {
        calls = calls.where('agent_id', '=', agentId);
        place += `/${agentId}`;
      }
      if (rating !== undefined) {
        calls = calls.where('rating', '=', rating);
        place += `?rating=${rating}`;
      }
      const { data, nextCursor } = await lists.page(place, request, (position, count) =>
        calls.where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(read), nextCursor };
    },

    async findAny(id) {
      const row = db.selectFrom('calls').selectAll().where('id', '=', id);
      const callRow = await row.executeTakeFirst();
      return callRow ? read(callRow) : null;
    },

    async get(trx, id) {
      return read(
        await trx.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      );
    },

    async move(trx, id, { status, startedAt, endedAt }) {
      const row = await trx
        .updateTable('calls')
        .set({
          status,
          started_at: startedAt,
          ended_at: endedAt,
          ...(status === 'completed'
            ? { to_evaluate_since: endedAt, opened_from: null }
            : { to_evaluate_since: null }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return read(row);
    },

    async rate(id, rating, alongside) {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('calls')
          .set(toColumns(id, rating))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (row) await alongside(trx, read(row));
      });
    },

    async countOfVisitors(of, trx) {
      const calls = (trx ?? db)
        .selectFrom('calls')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('opened_from', 'is not', null)
        // An older control plane leaves the address in ended calls.
        .where('status', '<>', 'completed');
      const { count } = await (
        'agentId' in of
          ? calls.where('agent_id', '=', of.agentId)
          : calls.where('opened_from', '=', of.openedFrom)
      ).executeTakeFirstOrThrow();
      return Number(count);
    },

    async toEvaluate(cutoff) {
      const rows = await db
        .selectFrom('calls')
        .select('id')
        .where('to_evaluate_since', 'is not', null)
        .where('to_evaluate_since', '<=', cutoff)
        .execute();
      return rows.map(({ id }) => id);
    },

    async keepEvaluation(id, evaluation, alongside) {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('calls')
          .set({
            ...toColumns(id, { evaluation, agent: null }),
            to_evaluate_since: null,
          })
          .where('id', '=', id)
          .where('to_evaluate_since', 'is not', null)
          .returningAll()
          .executeTakeFirst();
        if (row) await alongside(trx, read(row));
      });
    },
  };
}
