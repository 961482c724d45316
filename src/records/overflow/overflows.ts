/* Outside services that take the sessions of full pools: one for each pool at most. */
import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../errors.ts';
import type { Database } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { overflowColumns } from '../engine/tables/overflow-columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { transact } from '../engine/transact.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

export type Overflow = RecordOf<typeof overflowColumns>;

/** With the key, which is encrypted at rest. */
export type OverflowTarget = Overflow & { apiKey: string };

const { toRow, toRecord: toOverflow } = recordRows(overflowColumns);

export interface OverflowRecords {
  find(pool: string): Promise<Overflow | null>;
  all(): Promise<OverflowTarget[]>;
  /**
   * Replaces the pool's overflow. `apiKey` undefined: the key stays. False: there is none yet, or
   * it is of another origin. Throws `conflict` for another address while sessions are open.
   */
  set(overflow: Overflow, apiKey: string | undefined, now: number): Promise<boolean>;
  /** False if there is none. Throws `conflict` while sessions are open. */
  remove(pool: string): Promise<boolean>;
}

export function overflowRecords(db: Database, encryptor: Encryptor): OverflowRecords {
  return {
    async find(pool) {
      const row = await db
        .selectFrom('overflows')
        .selectAll()
        .where('pool', '=', pool)
        .executeTakeFirst();
      return row ? toOverflow(row) : null;
    },

    async all() {
      const rows = await db.selectFrom('overflows').selectAll().orderBy('pool').execute();
      return rows.map((row) => ({
        ...toOverflow(row),
        apiKey: encryptor.decrypt(row.api_key_sealed, placeIn(row.pool)),
      }));
    },

    set(overflow, apiKey, now) {
      const { pool } = overflow;
      return transact(db, async (trx) => {
        await lockOverflow(trx, pool);
        const formerRow = await trx
          .selectFrom('overflows')
          .select(['url', 'api_key_sealed'])
          .where('pool', '=', pool)
          .executeTakeFirst();
        // Otherwise a caller could change the address to have the stored key sent to its own
        // server.
        const isKept = formerRow && originOf(formerRow.url) === originOf(overflow.url);
        if (apiKey === undefined && !isKept) return false;
        if (formerRow && formerRow.url !== overflow.url) await refuseWhileOpen(trx, pool);
        const row = {
          ...toRow(overflow),
          api_key_sealed:
            apiKey === undefined
              ? formerRow!.api_key_sealed
              : encryptor.encrypt(apiKey, placeIn(pool)),
          changed_at: now,
        };
        await trx
          .insertInto('overflows')
          .values(row)
          .onConflict((conflict) => conflict.column('pool').doUpdateSet(row))
          .execute();
        return true;
      });
    },

    remove(pool) {
      return transact(db, async (trx) => {
        await lockOverflow(trx, pool);
        await refuseWhileOpen(trx, pool);
        const { numDeletedRows } = await trx
          .deleteFrom('overflows')
          .where('pool', '=', pool)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      });
    },
  };
}

/** Reservations and changes in the pool wait until the transaction ends. */
async function lockOverflow(trx: Database, pool: string): Promise<Overflow | null> {
  const row = await trx
    .updateTable('overflows')
    .set({ pool })
    .where('pool', '=', pool)
    .returningAll()
    .executeTakeFirst();
  return row ? toOverflow(row) : null;
}

/** Locks it. False: it was changed or removed since it was read. */
export const lockUnchanged = async (trx: Database, overflow: Overflow): Promise<boolean> =>
  isDeepStrictEqual(await lockOverflow(trx, overflow.pool), overflow);

const originOf = (url: string): string => new URL(url).origin;

/** Without its address and key, no control plane could end them. */
async function refuseWhileOpen(trx: Database, pool: string): Promise<void> {
  const open = await trx
    .selectFrom('outside_sessions')
    .select('session_id')
    .where('pool', '=', pool)
    .where('state', '!=', 'closed')
    .executeTakeFirst();
  if (!open) return;
  throw new Fault('conflict', {
    detail: 'Sessions are open at this service. Set max_sessions to 0, and wait until they end.',
  });
}

const placeIn = (pool: string): string => placeOf('overflows', 'api_key_sealed', pool);
