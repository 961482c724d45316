/*
 * The audit log: who changed what, when and from where. Append-only; triggers refuse to delete or
 * rewrite an entry. Only the states before and after can be cleared, when their account is deleted.
 */
import type { Selectable } from 'kysely';
import { newRecordId } from '#shared/ids.ts';
import type { AuditEntriesTable } from '../engine/tables/account-tables.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { placeOf } from '../keys/encrypted-columns.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';

/** `command`: an npm script. `service`: this program, on its own. */
export const ACTOR_TYPES = ['key', 'admin', 'person', 'page', 'command', 'service'] as const;

/** `id` is null for the shared admin password and for everything that has no record. */
export type Actor = {
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
  name: string | null;
};

/** Public fields of a resource. */
export type State = Record<string, unknown>;

export type AuditEntry = {
  id: string;
  /** Null: a change of the installation. */
  accountId: string | null;
  actor: Actor;
  /** IP address of the request; null for commands. */
  address: string | null;
  /** For example `agent.updated`. */
  action: string;
  targetId: string | null;
  before: State | null;
  after: State | null;
  createdAt: number;
};

/** The request that ends a session or call, as its entry shows it. Crosses control planes. */
export type EndedBy = Pick<AuditEntry, 'actor' | 'address' | 'targetId'> & {
  action: 'session.ended' | 'call.ended';
};

export type AuditFilter = {
  /** Null: entries of the installation; undefined: all entries. */
  accountId?: string | null | undefined;
  action?: string | undefined;
  targetId?: string | undefined;
  actorId?: string | undefined;
  /** Milliseconds since the epoch: from then, and before then. */
  from?: number | undefined;
  to?: number | undefined;
};

export interface AuditLog {
  /** `trx`: the transaction of the change, which is then kept with its entry or not at all. */
  add(entry: Omit<AuditEntry, 'id'>, trx?: Transaction): Promise<AuditEntry>;
  /** Most recent first. A cursor is valid for one filter only. */
  page(request: PageRequest, filter: AuditFilter): Promise<Page<AuditEntry>>;
}

export function auditLogRecords(db: Database, encryptor: Encryptor, lists: Lists): AuditLog {
  const seal = (state: State | null, place: string) =>
    state && encryptor.encrypt(JSON.stringify(state), place);

  const matching = (filter: AuditFilter) => {
    let rows = db.selectFrom('audit_entries').selectAll();
    if (filter.accountId === null) rows = rows.where('account_id', 'is', null);
    else if (filter.accountId !== undefined) {
      rows = rows.where('account_id', '=', filter.accountId);
    }
    if (filter.action !== undefined) rows = rows.where('action', '=', filter.action);
    if (filter.targetId !== undefined) rows = rows.where('target_id', '=', filter.targetId);
    if (filter.actorId !== undefined) rows = rows.where('actor_id', '=', filter.actorId);
    if (filter.from !== undefined) rows = rows.where('created_at', '>=', filter.from);
    if (filter.to !== undefined) rows = rows.where('created_at', '<', filter.to);
    return rows;
  };

  return {
    async add(entry, trx) {
      const id = newRecordId();
      const { actor } = entry;
      await (trx ?? db)
        .insertInto('audit_entries')
        .values({
          id,
          account_id: entry.accountId,
          actor_type: actor.type,
          actor_id: actor.id,
          actor_name: actor.name,
          address: entry.address,
          action: entry.action,
          target_id: entry.targetId,
          before_sealed: seal(entry.before, placeIn(id, 'before')),
          after_sealed: seal(entry.after, placeIn(id, 'after')),
          created_at: entry.createdAt,
          listed_at: lists.next(entry.createdAt),
        })
        .execute();
      return { id, ...entry };
    },

    async page(request, filter) {
      const { data, nextCursor } = await lists.page(
        `audit/${nameOf(filter)}`,
        request,
        (position, count) =>
          matching(filter).where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map((row) => toEntry(row, encryptor)), nextCursor };
    },
  };
}

/** Equal for equal filters. */
const nameOf = (filter: AuditFilter): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const placeIn = (id: string, field: 'before' | 'after'): string =>
  placeOf('audit_entries', `${field}_sealed`, id);

function toEntry(row: Selectable<AuditEntriesTable>, encryptor: Encryptor): AuditEntry {
  const open = (sealed: string | null, field: 'before' | 'after') =>
    sealed === null
      ? null
      : (JSON.parse(encryptor.decrypt(sealed, placeIn(row.id, field))) as State);
  return {
    id: row.id,
    accountId: row.account_id,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    address: row.address,
    action: row.action,
    targetId: row.target_id,
    before: open(row.before_sealed, 'before'),
    after: open(row.after_sealed, 'after'),
    createdAt: row.created_at,
  };
}
