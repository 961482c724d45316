import type { Selectable } from 'kysely';
import type { Database, Transaction } from '../engine/database.ts';
import type { EncryptionKeysTable } from '../engine/tables/tables.ts';

/** A key that encrypts records, or did so. */
export type KeyRecord = {
  id: string;
  activatedAt: number;
  /** When all values were found encrypted with this key. */
  completedAt: number | null;
  /** When no value was left that needs this key. */
  retiredAt: number | null;
};

export interface KeyRecords {
  /** The last one encrypts. */
  list(): Promise<KeyRecord[]>;
  activate(id: string, now: number): Promise<void>;
  /** All values are encrypted with this key: retires the others. */
  complete(key: KeyRecord, now: number): Promise<void>;
}

export function keyRecords(db: Database | Transaction): KeyRecords {
  return {
    async list() {
      const rows = db.selectFrom('encryption_keys').selectAll();
      return (await rows.orderBy('activated_at').orderBy('id').execute()).map(toRecord);
    },

    async activate(id, now) {
      await db.insertInto('encryption_keys').values({ id, activated_at: now }).execute();
    },

    async complete({ id, activatedAt }, now) {
      await db
        .updateTable('encryption_keys')
        .set({ completed_at: now })
        .where('id', '=', id)
        .execute();
      await db
        .updateTable('encryption_keys')
        .set({ retired_at: now })
        .where('activated_at', '<', activatedAt)
        .where('retired_at', 'is', null)
        .execute();
    },
  };
}

const toRecord = (row: Selectable<EncryptionKeysTable>): KeyRecord => ({
  id: row.id,
  activatedAt: row.activated_at,
  completedAt: row.completed_at,
  retiredAt: row.retired_at,
});
