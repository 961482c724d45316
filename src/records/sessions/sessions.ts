import { sql, type Selectable } from 'kysely';
import { Fault } from '../../errors.ts';
import { isDuplicate, type Database, type Transaction } from '../engine/database.ts';
import type { EndedBy } from '../audit/audit-log.ts';
import type { SessionsTable } from '../engine/tables/tables.ts';
import { readLivePlaces, type LivePlaceRecord } from './live-places.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { matches, nameOf, type SessionFilter } from './session-filter.ts';
import { isAvatarSession, isLive, sessionQueries } from './session-queries.ts';
import { sessionRows, type SessionRecord, type SessionStateFields } from './session-row.ts';
import { readWorkerSessions, type WorkerSession } from './worker-sessions.ts';
import { StateChanges, type SessionWatcher } from './state-changes.ts';

export type { Page, PageRequest } from '../engine/pages.ts';
export type { SessionFilter } from './session-filter.ts';
export type { WorkerSession } from './worker-sessions.ts';
export type { SessionSpeech } from '../engine/tables/session-columns.ts';
export type { SessionRecord, SessionStateFields } from './session-row.ts';
export type { SessionWatcher } from './state-changes.ts';

/** A session with the same id, idempotency key or live room already exists. */
export class SessionExists extends Error {
  override readonly name = 'SessionExists';
}

export type InsertOptions = {
  /** Limit of the account's live sessions; null: unlimited. */
  maxLive: number | null;
  /** Other half of a call, inserted in the same transaction and not counted. */
  partner?: SessionRecord;
  /** Runs in the same transaction. */
  alongside?: (trx: Transaction) => Promise<void>;
};

/** Only `findAny`, `live`, `livePlaces`, `ofCall` and `ofWorkers` return conversations too. */
export interface SessionRecords {
  /**
   * Throws `SessionExists` for a duplicate id, idempotency key or room token of a live session, and
   * a `concurrency_limit` fault beyond `maxLive`.
   */
  insert(record: SessionRecord, options: InsertOptions): Promise<void>;
  find(accountId: string, id: string): Promise<SessionRecord | null>;
  findLiveByFingerprint(accountId: string, fingerprint: string): Promise<SessionRecord | null>;
  findByIdempotencyKey(accountId: string, key: string): Promise<SessionRecord | null>;
  /** Most recent first. A cursor is valid for one filter only. */
  page(
    accountId: string,
    request: PageRequest,
    filter?: SessionFilter,
  ): Promise<Page<SessionRecord>>;
  /**
   * `session`: the state before. Watchers get it with the new fields; the row is not read again.
   * `by`: the caller, for the audit log.
   */
  updateState(session: SessionRecord, fields: SessionStateFields, by?: EndedBy): Promise<void>;
  /**
   * False: the session has a newer placement, or one of this epoch with another worker, or is
   * completed. An epoch belongs to one worker.
   */
  updatePlacement(
    id: string,
    placement: { epoch: number; workerId: string | null },
  ): Promise<boolean>;
  updateRenewedToken(id: string, token: string): Promise<void>;
  updateVideo(id: string, video: SessionRecord['video']): Promise<void>;
  /** Ignores the owner. */
  findAny(id: string): Promise<SessionRecord | null>;
  /** Both halves of the call, each with the worker that performed it before. */
  ofCall(callId: string): Promise<(SessionRecord & { formerWorkerId: string | null })[]>;
  /** All live sessions, oldest first. For recovery after a restart. */
  live(): Promise<SessionRecord[]>;
  /**
   * Placements of all live sessions, in any order. Not a snapshot: concurrent writes may be missed.
   */
  livePlaces(): Promise<LivePlaceRecord[]>;
  /** Live sessions of these workers. */
  ofWorkers(workerIds: readonly string[]): Promise<WorkerSession[]>;
}

export function sessionRecords(
  db: Database,
  encryptor: Encryptor,
  lists: Lists,
  watchers: readonly SessionWatcher[] = [],
): SessionRecords {
  const { toRecord: read, toRow, toColumns } = sessionRows(encryptor);
  const readOne = (row: Selectable<SessionsTable> | undefined) => (row ? read(row) : null);
  const queries = sessionQueries(db);
  const changes = new StateChanges({ db, queries, read, watchers });
  const countLive = async (trx: Transaction, accountId: string, max: number | null) => {
    const { numAffectedRows } =
      max === null
        ? await queries.countLive(trx, { account_id: accountId })
        : await queries.countLiveUpTo(trx, { account_id: accountId, max });
    if (numAffectedRows === 0n) throw new Fault('concurrency_limit');
  };

  const write = async (trx: Transaction, record: SessionRecord) => {
    const row = { ...toRow(record), listed_at: lists.next(record.createdAt) };
    await queries.insert(trx, row);
  };

  return {
    async insert(record, { maxLive, partner, alongside }) {
      try {
        await db.transaction().execute(async (trx) => {
          await countLive(trx, record.accountId, maxLive);
          await write(trx, record);
          if (partner) await write(trx, partner);
          await alongside?.(trx);
        });
      } catch (error) {
        if (isDuplicate(error)) throw new SessionExists('This session exists.', { cause: error });
        throw error;
      }
    },

    async find(accountId, id) {
      return readOne((await queries.find(db, { account_id: accountId, id })).rows[0]);
    },

    async findLiveByFingerprint(accountId, fingerprint) {
      const values = { account_id: accountId, fingerprint };
      return readOne((await queries.findLiveByFingerprint(db, values)).rows[0]);
    },

    async findByIdempotencyKey(accountId, key) {
      const { rows } = await queries.findByIdempotencyKey(db, { account_id: accountId, key });
      return readOne(rows[0]);
    },

    async page(accountId, request, filter = {}) {
      const { data, nextCursor } = await lists.page(
        `sessions/${accountId}/${nameOf(filter)}`,
        request,
        (position, count) =>
          db
            .selectFrom('sessions')
            .selectAll()
            .where('account_id', '=', accountId)
            .where(isAvatarSession)
            .where(matches(filter))
            .where(isAfter(position))
            .orderBy(newestFirst)
            .limit(count)
            .execute(),
      );
      return { data: data.map(read), nextCursor };
    },

    updateState: (session, fields, by) => changes.write({ session, fields, by }),

    async updatePlacement(id, { epoch, workerId }) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({
          epoch,
          worker_id: workerId,
          former_worker_id: sql`case when worker_id is distinct from ${workerId} then coalesce(worker_id, former_worker_id) else former_worker_id end`,
        })
        .where('id', '=', id)
        .where(isLive)
        .where((is) =>
          is.or([
            is('epoch', '<', epoch),
            // Saved before; the answer was lost.
            is('epoch', '=', epoch).and('worker_id', 'is not distinct from', workerId),
          ]),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async updateRenewedToken(id, renewedToken) {
      await db
        .updateTable('sessions')
        .set(toColumns(id, { renewedToken }))
        .where('id', '=', id)
        .execute();
    },

    async updateVideo(id, video) {
      await db.updateTable('sessions').set(toColumns(id, { video })).where('id', '=', id).execute();
    },

    async findAny(id) {
      const rows = db.selectFrom('sessions').selectAll();
      return readOne(await rows.where('id', '=', id).executeTakeFirst());
    },

    async ofCall(callId) {
      const { rows } = await queries.ofCall(db, { call_id: callId });
      // A spread would decrypt the tokens.
      return rows.map((row) => Object.assign(read(row), { formerWorkerId: row.former_worker_id }));
    },

    async live() {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where(isLive)
        .orderBy('listed_at')
        .execute();
      return rows.map(read);
    },

    livePlaces: () => readLivePlaces(db),

    ofWorkers: (workerIds) => readWorkerSessions(db, workerIds),
  };
}
