import type { Insertable, Selectable } from 'kysely';
import type { CallsTable, Database, Transaction } from './database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from './pages.ts';
import type { Seal } from './sealed.ts';

/** One row of the records; times are milliseconds since the epoch. */
export type CallRecord = {
  id: string;
  accountId: string;
  /** The agent may be deleted by now. */
  agentId: string;
  sessionId: string;
  /** As the user reaches the media server. */
  roomUrl: string;
  roomName: string;
  /** Sealed at rest. */
  userToken: string;
  userName: string | null;
  userEmail: string | null;
  tags: Record<string, string>;
  /** Its session's, as are the times. */
  status: 'to_start' | 'ongoing' | 'completed';
  startedAt: number | null;
  endedAt: number | null;
  createdAt: number;
};

export type CallState = Pick<CallRecord, 'status' | 'startedAt' | 'endedAt'>;

export interface CallRecords {
  insert(trx: Transaction, record: CallRecord): Promise<void>;
  find(accountId: string, id: string): Promise<CallRecord | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<CallRecord>>;
  /** Whoever owns it. */
  get(trx: Transaction, id: string): Promise<CallRecord>;
  move(trx: Transaction, id: string, state: CallState): Promise<CallRecord>;
}

export function callRecords(db: Database, seal: Seal, lists: Lists): CallRecords {
  const read = (row: Selectable<CallsTable>) => toRecord(row, seal);
  const ofAccount = (accountId: string) =>
    db.selectFrom('calls').selectAll().where('account_id', '=', accountId);

  return {
    async insert(trx, record) {
      const row = { ...toRow(record, seal), listed_at: lists.next(record.createdAt) };
      await trx.insertInto('calls').values(row).execute();
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? read(row) : null;
    },

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(`calls/${accountId}`, request, (after, count) =>
        ofAccount(accountId).where(isAfter(after)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(read), nextCursor };
    },

    async get(trx, id) {
      return read(
        await trx.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      );
    },

    async move(trx, id, { status, startedAt, endedAt }) {
      const row = await trx
        .updateTable('calls')
        .set({ status, started_at: startedAt, ended_at: endedAt })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return read(row);
    },
  };
}

const toRow = (record: CallRecord, seal: Seal): Omit<Insertable<CallsTable>, 'listed_at'> => ({
  id: record.id,
  account_id: record.accountId,
  agent_id: record.agentId,
  session_id: record.sessionId,
  room_url: record.roomUrl,
  room_name: record.roomName,
  user_token_sealed: seal.seal(record.userToken, placeOf(record.id)),
  user_name: record.userName,
  user_email: record.userEmail,
  tags: JSON.stringify(record.tags),
  status: record.status,
  started_at: record.startedAt,
  ended_at: record.endedAt,
  created_at: record.createdAt,
});

const toRecord = (row: Selectable<CallsTable>, seal: Seal): CallRecord => ({
  id: row.id,
  accountId: row.account_id,
  agentId: row.agent_id,
  sessionId: row.session_id,
  roomUrl: row.room_url,
  roomName: row.room_name,
  userToken: seal.open(row.user_token_sealed, placeOf(row.id)),
  userName: row.user_name,
  userEmail: row.user_email,
  tags: JSON.parse(row.tags) as CallRecord['tags'],
  status: row.status,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  createdAt: row.created_at,
});

const placeOf = (id: string): string => `calls/${id}/user_token`;
