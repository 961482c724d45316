/*
 * How sessions move on. What comes within a few milliseconds is written in one transaction: to commit takes longer than to change. When it
 * fails, each change is tried in a transaction of its own, so that none fails for another's sake.
 */
import type { Selectable } from 'kysely';
import type { Database, SessionsTable, Transaction } from './database.ts';
import type { SessionQueries } from './session-queries.ts';
import type { SessionRecord } from './session-row.ts';

export type SessionStateFields = Pick<
  SessionRecord,
  'status' | 'startedAt' | 'endedAt' | 'endReason'
>;

/**
 * Told inside the transaction in which a session began to be ongoing or was completed: what it writes is there with the change, or not at all.
 * It may be told twice, when the first transaction failed.
 */
export type SessionWatcher = (
  trx: Transaction,
  session: SessionRecord,
  change: 'started' | 'ended',
) => Promise<void>;

export type StateChangesParts = {
  db: Database;
  queries: SessionQueries;
  read: (row: Selectable<SessionsTable>) => SessionRecord;
  watchers: readonly SessionWatcher[];
};

/** Nobody waits for these changes but the worker that reported them. */
const GATHER_MS = 10;

type Change = { id: string; fields: SessionStateFields };
type Waiting = Change & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

export class StateChanges {
  readonly #parts: StateChangesParts;
  #waiting: Waiting[] = [];

  constructor(parts: StateChangesParts) {
    this.#parts = parts;
  }

  /** Resolves when it is committed. */
  write(id: string, fields: SessionStateFields): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ id, fields, resolve, reject });
    if (this.#waiting.length === 1) setTimeout(() => void this.#commit(), GATHER_MS);
    return promise;
  }

  async #commit(): Promise<void> {
    const changes = this.#waiting;
    this.#waiting = [];
    try {
      await this.#transact(changes);
      for (const { resolve } of changes) resolve();
    } catch (error) {
      if (changes.length === 1) return changes[0]?.reject(error);
      for (const change of changes) {
        await this.#transact([change]).then(change.resolve, change.reject);
      }
    }
  }

  async #transact(changes: readonly Change[]): Promise<void> {
    const { db, queries } = this.#parts;
    await db.transaction().execute(async (trx) => {
      const ended = new Map<string, number>();
      for (const change of changes) {
        for (const { kind, accountId } of await this.#change(trx, change)) {
          if (kind === 'avatar') ended.set(accountId, (ended.get(accountId) ?? 0) + 1);
        }
      }
      // Last, and in one order everywhere: these rows are locked until the commit, and others want them too.
      for (const accountId of [...ended.keys()].toSorted()) {
        await queries.uncountLive(trx, { account_id: accountId, ended: ended.get(accountId) ?? 0 });
      }
    });
  }

  /** Answers those that were completed by it. */
  async #change(trx: Transaction, change: Change): Promise<SessionRecord[]> {
    const session = await this.#write(trx, change);
    if (session?.status !== 'completed') return [];
    return [session, ...(await this.#endPartners(trx, session))];
  }

  /** The face and the conversation of a call end as one, whichever of them ended: at one moment, for one reason. */
  async #endPartners(
    trx: Transaction,
    { id, callId, endedAt, endReason }: SessionRecord,
  ): Promise<SessionRecord[]> {
    if (callId === null || endedAt === null) return [];
    const { queries, read } = this.#parts;
    const { rows } = await queries.ofCall(trx, { call_id: callId });
    const ended: SessionRecord[] = [];
    for (const partner of rows.map(read)) {
      if (partner.id === id || partner.status === 'completed') continue;
      const startedAt = partner.startedAt ?? endedAt;
      const until = Math.max(startedAt, endedAt);
      const fields = { status: 'completed' as const, startedAt, endedAt: until, endReason };
      const session = await this.#write(trx, { id: partner.id, fields });
      if (session) ended.push(session);
    }
    return ended;
  }

  /** Null when there was nothing to change. */
  async #write(trx: Transaction, { id, fields }: Change): Promise<SessionRecord | null> {
    const { queries, read, watchers } = this.#parts;
    const { rows } = await queries.change(trx, {
      id,
      status: fields.status,
      started_at: fields.startedAt,
      ended_at: fields.endedAt,
      end_reason: fields.endReason,
    });
    const row = rows[0];
    if (!row || row.status === 'to_start') return null;
    const session = read(row);
    const change = session.status === 'completed' ? 'ended' : 'started';
    for (const watch of watchers) await watch(trx, session, change);
    return session;
  }
}
