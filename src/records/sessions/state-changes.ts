/*
 * How sessions move on. What comes within a few milliseconds is written in one transaction, and by as few statements as can be: to commit takes
 * longer than to change, and to ask as long. When it fails, each change is tried in a transaction of its own, so that none fails for another's
 * sake.
 */
import type { Selectable } from 'kysely';
import type { Database, SessionsTable, Transaction } from '../engine/database.ts';
import { linkedEnd } from './linked-end.ts';
import { MOST_CHANGES, type SessionQueries } from './session-queries.ts';
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

/** `session`: as it was until now. */
export type StateChange = { session: SessionRecord; fields: SessionStateFields };
type Waiting = StateChange & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

export class StateChanges {
  readonly #parts: StateChangesParts;
  #waiting: Waiting[] = [];

  constructor(parts: StateChangesParts) {
    this.#parts = parts;
  }

  /** Resolves when it is committed. */
  write(session: SessionRecord, fields: SessionStateFields): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ session, fields, resolve, reject });
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
      for (const some of togetherOf(changes)) {
        for (const { kind, accountId } of await this.#change(trx, some)) {
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
    for (const other of rows.map(read)) {
      const fields = linkedEnd(session, other);
      if (fields && other.status !== 'completed')
        ended.push(...(await this.#write(trx, [{ session: other, fields }])));
    }
    return ended;
  }

  /** Answers those that it changed. */
  async #write(trx: Transaction, changes: readonly StateChange[]): Promise<SessionRecord[]> {
    const { queries, watchers } = this.#parts;
    const { rows } = await queries.change(trx, changes);
    const changed = new Set(rows.map(({ id }) => id));
    const sessions = changes
      .filter(({ session }) => changed.has(session.id))
      .map(({ session, fields }) => ({ ...session, ...fields }));
    for (const session of sessions) {
      const change = session.status === 'completed' ? 'ended' : 'started';
      for (const watch of watchers) await watch(trx, session, change);
    }
    return sessions;
  }
}

/** In their order: no session is twice among what is written together, and those of a call, which end with one another, are alone. */
function togetherOf(changes: readonly StateChange[]): StateChange[][] {
  const all: StateChange[][] = [];
  let ids = new Set<string>();
  for (const change of changes) {
    const last = all.at(-1);
    const { id, callId } = change.session;
    const isAlone = callId !== null || last?.[0]?.session.callId !== null;
    if (!last || isAlone || ids.has(id) || last.length === MOST_CHANGES) {
      all.push([change]);
      ids = new Set([id]);
    } else {
      last.push(change);
      ids.add(id);
    }
  }
  return all;
}
