import type { Insertable, Selectable } from 'kysely';
import type { AgentSettings } from '../agents/agents.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { CallsTable } from '../engine/tables/tables.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

export type CallEvaluation = {
  topic: string;
  userSentiment: 'positive' | 'neutral' | 'negative';
  durationMinutes: number;
  messagesCount: number;
  evaluatedBy: 'model' | 'rules';
};

/**
 * Times are milliseconds since the epoch. What the user said, is called or was tagged with is
 * encrypted at rest, as are the token and the agent.
 */
export type CallRecord = {
  id: string;
  accountId: string;
  /** The agent may have been deleted. */
  agentId: string;
  sessionId: string;
  /** The media server's address for the user. */
  roomUrl: string;
  roomName: string;
  userToken: string;
  userName: string | null;
  userEmail: string | null;
  tags: Record<string, string>;
  /** Follows the avatar session, as do the times. */
  status: 'to_start' | 'ongoing' | 'completed';
  startedAt: number | null;
  endedAt: number | null;
  /** Null until shortly after the end, and in rows of older versions. */
  evaluation: CallEvaluation | null;
  /**
   * The agent's settings when the call began; null after the evaluation, and in rows of older
   * versions.
   */
  agent: AgentSettings | null;
  /** Keyed hash of the visitor's address; null after the end, and for calls opened with a key. */
  openedFrom: string | null;
  createdAt: number;
};

export type VisitorsOf = { agentId: string } | { openedFrom: string };

type CallState = Pick<CallRecord, 'status' | 'startedAt' | 'endedAt'>;

export interface CallRecords {
  insert(trx: Transaction, record: CallRecord): Promise<void>;
  find(accountId: string, id: string): Promise<CallRecord | null>;
  /** A call with this agent, deleted or not. Ignores the owner. */
  ofAgent(agentId: string, id: string): Promise<CallRecord | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<CallRecord>>;
  /** Ignores the owner. */
  findAny(id: string): Promise<CallRecord | null>;
  /** Like `findAny`, but throws if there is no such call. */
  get(trx: Transaction, id: string): Promise<CallRecord>;
  /** A call that becomes completed is queued for evaluation. */
  move(trx: Transaction, id: string, state: CallState): Promise<CallRecord>;
  /** Number of open calls of visitors. */
  countOfVisitors(of: VisitorsOf, trx?: Transaction): Promise<number>;
  /** Ids of all calls that ended before then and wait for their evaluation. */
  toEvaluate(before: number): Promise<string[]>;
  /** Does nothing if the call has been evaluated. `alongside` runs in the same transaction. */
  keepEvaluation(
    id: string,
    evaluation: CallEvaluation,
    alongside: (trx: Transaction, call: CallRecord) => Promise<void>,
  ): Promise<void>;
}

export function callRecords(db: Database, encryptor: Encryptor, lists: Lists): CallRecords {
  const read = (row: Selectable<CallsTable>) => toRecord(row, encryptor);
  const ofAccount = (accountId: string) =>
    db.selectFrom('calls').selectAll().where('account_id', '=', accountId);

  return {
    async insert(trx, record) {
      const row = { ...toRow(record, encryptor), listed_at: lists.next(record.createdAt) };
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

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(`calls/${accountId}`, request, (after, count) =>
        ofAccount(accountId).where(isAfter(after)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(read), nextCursor };
    },

    async findAny(id) {
      const row = db.selectFrom('calls').selectAll().where('id', '=', id);
      const found = await row.executeTakeFirst();
      return found ? read(found) : null;
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

    async toEvaluate(before) {
      const rows = await db
        .selectFrom('calls')
        .select('id')
        .where('to_evaluate_since', 'is not', null)
        .where('to_evaluate_since', '<=', before)
        .execute();
      return rows.map(({ id }) => id);
    },

    async keepEvaluation(id, evaluation, alongside) {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('calls')
          .set({
            evaluation: encryptor.encrypt(JSON.stringify(evaluation), placeIn.evaluation(id)),
            to_evaluate_since: null,
            agent: null,
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

const toRow = (
  record: CallRecord,
  encryptor: Encryptor,
): Omit<Insertable<CallsTable>, 'listed_at'> => {
  const { id } = record;
  const encrypt = (text: string | null, place: string) =>
    text === null ? null : encryptor.encrypt(text, place);
  return {
    id,
    account_id: record.accountId,
    agent_id: record.agentId,
    session_id: record.sessionId,
    room_url: record.roomUrl,
    room_name: record.roomName,
    user_token_sealed: encryptor.encrypt(record.userToken, placeIn.userToken(id)),
    user_name: encrypt(record.userName, placeIn.userName(id)),
    user_email: encrypt(record.userEmail, placeIn.userEmail(id)),
    tags: encryptor.encrypt(JSON.stringify(record.tags), placeIn.tags(id)),
    status: record.status,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    evaluation: encrypt(
      record.evaluation && JSON.stringify(record.evaluation),
      placeIn.evaluation(id),
    ),
    agent: encrypt(record.agent && JSON.stringify(record.agent), placeIn.agent(id)),
    opened_from: record.openedFrom,
    created_at: record.createdAt,
  };
};

function toRecord(row: Selectable<CallsTable>, encryptor: Encryptor): CallRecord {
  const { id } = row;
  const read = (stored: string | null, place: string) =>
    stored === null ? null : encryptor.readText(stored, place);
  const evaluation = read(row.evaluation, placeIn.evaluation(id));
  const agent = read(row.agent, placeIn.agent(id));
  return {
    id,
    accountId: row.account_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    roomUrl: row.room_url,
    roomName: row.room_name,
    userToken: encryptor.decrypt(row.user_token_sealed, placeIn.userToken(id)),
    userName: read(row.user_name, placeIn.userName(id)),
    userEmail: read(row.user_email, placeIn.userEmail(id)),
    tags: JSON.parse(encryptor.readText(row.tags, placeIn.tags(id))) as CallRecord['tags'],
    status: row.status,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    evaluation: evaluation === null ? null : (JSON.parse(evaluation) as CallEvaluation),
    agent: agent === null ? null : (JSON.parse(agent) as AgentSettings),
    openedFrom: row.opened_from,
    createdAt: row.created_at,
  };
}

const placeIn = {
  userToken: (id: string) => placeOf('calls', 'user_token_sealed', id),
  userName: (id: string) => placeOf('calls', 'user_name', id),
  userEmail: (id: string) => placeOf('calls', 'user_email', id),
  tags: (id: string) => placeOf('calls', 'tags', id),
  evaluation: (id: string) => placeOf('calls', 'evaluation', id),
  agent: (id: string) => placeOf('calls', 'agent', id),
};
