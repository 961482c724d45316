/*
 * The audit log: who changed what, when and from where. Append-only; triggers refuse to delete or
 * rewrite an entry. Only the states before and after can be cleared, when their account is deleted.
 */
import { newRecordId } from '#shared/ids.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { auditColumns } from '../engine/tables/audit-columns.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';

type Fields = RecordOf<typeof auditColumns>;

export type Actor = {
  type: Fields['actorType'];
  id: Fields['actorId'];
  name: Fields['actorName'];
};

/** Public fields of a resource. */
export type State = Record<string, unknown>;

export type AuditEntry = Omit<Fields, 'actorType' | 'actorId' | 'actorName'> & { actor: Actor };

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
  const { toRow, toRecord } = recordRows(auditColumns, { table: 'audit_entries', encryptor });

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
      const { actor, ...fields } = entry;
      const { type: actorType, id: actorId, name: actorName } = actor;
      await (trx ?? db)
        .insertInto('audit_entries')
        .values({
          ...toRow({ ...fields, id, actorType, actorId, actorName }),
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
      return { data: data.map((row) => toEntry(toRecord(row))), nextCursor };
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

const toEntry = ({ actorType, actorId, actorName, ...entry }: Fields): AuditEntry => ({
  ...entry,
  actor: { type: actorType, id: actorId, name: actorName },
});
