/*
 * Writes state changes of sessions. Changes that arrive within a few milliseconds share a
 * transaction and as few statements as possible, because the commit costs most. If it fails, each
 * change gets its own transaction, so that one bad change does not fail the others.
 */
import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../engine/database.ts';
import type { SessionsTable } from '../engine/tables/tables.ts';
import type { EndedBy } from '../audit/audit-log.ts';
import { linkedEnd } from './linked-end.ts';
import type { SessionQueries } from './session-queries.ts';
import type { SessionRecord, SessionStateFields } from './session-row.ts';
import { MAX_UPDATES, stateUpdates } from './state-updates.ts';

/**
 * Called inside the transaction that starts or ends a session; its writes commit with the change.
 * Called again if the first transaction failed. `cause`: the end was asked for.
 */
export type SessionWatcher = (
  trx: Transaction,
  session: SessionRecord,
  change: 'started' | 'ended',
  cause?: EndCause,
) => Promise<void>;

/** `before`: the session before its end. */
type EndCause = { before: SessionRecord; by: EndedBy };

type StateChangesParts = {
  db: Database;
  queries: SessionQueries;
  read: (row: Selectable<SessionsTable>) => SessionRecord;
  watchers: readonly SessionWatcher[];
};

/** Only the reporting worker waits for a change. */
const GATHER_MS = 10;

/** `session`: the state before. `by`: who asked for it. */
type StateChange = {
  session: SessionRecord;
  fields: SessionStateFields;
  by?: EndedBy | undefined;
};
type Waiting = StateChange & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

export class StateChanges {
  readonly #parts: StateChangesParts;
  readonly #update: ReturnType<typeof stateUpdates>;
  #waiting: Waiting[] = [];

  constructor(parts: StateChangesParts) {
    this.#parts = parts;
    this.#update = stateUpdates(parts.db);
  }

  /** Resolves when it is committed. */
  write(change: StateChange): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ ...change, resolve, reject });
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

  async #transact(changes: readonly StateChange[]): Promise<void> {
    const { db, queries } = this.#parts;
    await db.transaction().execute(async (trx) => {
      const ended = new Map<string, number>();
      for (const batch of batchesOf(changes)) {
        for (const { kind, accountId } of await this.#change(trx, batch)) {
          if (kind === 'avatar') ended.set(accountId, (ended.get(accountId) ?? 0) + 1);
        }
      }
      // Account rows stay locked until the commit: lock them last, and in one order to avoid
      // deadlocks.
      for (const accountId of [...ended.keys()].toSorted()) {
        await queries.uncountLive(trx, { account_id: accountId, ended: ended.get(accountId) ?? 0 });
      }
    });
  }

  /** Returns the sessions that it completed. */
  async #change(trx: Transaction, changes: readonly StateChange[]): Promise<SessionRecord[]> {
    const completed: SessionRecord[] = [];
    for (const session of await this.#write(trx, changes)) {
      if (session.status !== 'completed') continue;
      completed.push(session, ...(await this.#endLinked(trx, session)));
    }
    return completed;
  }

  async #endLinked(trx: Transaction, session: SessionRecord): Promise<SessionRecord[]> {
    if (session.callId === null) return [];
    const { queries, read } = this.#parts;
    const { rows } = await queries.ofCall(trx, { call_id: session.callId });
    const ended: SessionRecord[] = [];
    for (const otherSession of rows.map(read)) {
      const fields = linkedEnd(session, otherSession);
      if (fields && otherSession.status !== 'completed')
        ended.push(...(await this.#write(trx, [{ session: otherSession, fields }])));
    }
    return ended;
  }

  /** Returns the sessions that it changed. */
  async #write(trx: Transaction, changes: readonly StateChange[]): Promise<SessionRecord[]> {
    const changed = await this.#update(trx, changes);
    const sessions: SessionRecord[] = [];
    for (const { session: formerSession, fields, by } of changes) {
      if (!changed.has(formerSession.id)) continue;
      const session = { ...formerSession, ...fields };
      const change = session.status === 'completed' ? 'ended' : 'started';
      for (const watch of this.#parts.watchers)
        await watch(trx, session, change, by && { before: formerSession, by });
      sessions.push(session);
    }
    return sessions;
  }
}

/**
 * Keeps the order. A session occurs once per batch; halves of calls, which end each other, are
 * batched alone.
 */
function batchesOf(changes: readonly StateChange[]): StateChange[][] {
  const batches: StateChange[][] = [];
  let ids = new Set<string>();
  for (const change of changes) {
    const lastBatch = batches.at(-1);
    const { id, callId } = change.session;
    const isAlone = callId !== null || lastBatch?.[0]?.session.callId !== null;
    if (!lastBatch || isAlone || ids.has(id) || lastBatch.length === MAX_UPDATES) {
      batches.push([change]);
      ids = new Set([id]);
    } else {
      lastBatch.push(change);
      ids.add(id);
    }
  }
  return batches;
}
