/*
 * The costs of calls, shared by all control planes: one row for each call, and one for each
 * agent, link, account and visitor's address for each day.
 */
import type { Selectable } from 'kysely';
import { UNIT_KEYS, type Amounts } from '#protocol/budgets.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { SpendingTable } from '../engine/tables/tables.ts';
import { transact } from '../engine/transact.ts';

/** With the number of typed texts. */
export type Spent = Amounts & { texts: number };

export const NOTHING_SPENT: Spent = {
  modelTokens: 0,
  speechCharacters: 0,
  seconds: 0,
  texts: 0,
};

/** Whose costs are counted. `period`: its start, or 0. */
export type SpendingKey = { name: string; period: number };

export interface SpendingRecords {
  /** In the order of the keys. */
  find(keys: readonly SpendingKey[]): Promise<Spent[]>;
  /** Keyed hash of the visitor's address; null for a call opened with a key, or none. */
  visitorOf(name: string): Promise<string | null>;
  /** Begins to count a call. */
  open(
    trx: Transaction,
    row: { name: string; visitor: string | null; expiresAt: number },
  ): Promise<void>;
  /** Returns the sums after it. Charges of one key run in turn until the transaction ends. */
  add(trx: Transaction, key: SpendingKey, spent: Spent, expiresAt: number): Promise<Spent>;
  transact<Result>(run: (trx: Transaction) => Promise<Result>): Promise<Result>;
  /** Deletes expired rows. */
  purge(now: number): Promise<void>;
}

export function spendingRecords(db: Database): SpendingRecords {
  return {
    async find(keys) {
      const rows = await db
        .selectFrom('spending')
        .selectAll()
        .where((is) => is.or(keys.map(({ name, period }) => is.and({ name, period }))))
        .execute();
      return keys.map(({ name, period }) => {
        const row = rows.find((each) => each.name === name && each.period === period);
        return row ? toSpent(row) : NOTHING_SPENT;
      });
    },

    async visitorOf(name) {
      const rows = db.selectFrom('spending').select('visitor').where('name', '=', name);
      return (await rows.executeTakeFirst())?.visitor ?? null;
    },

    async open(trx, { name, visitor, expiresAt }) {
      const row = { ...toColumns(NOTHING_SPENT), visitor, expires_at: expiresAt };
      await trx
        .insertInto('spending')
        .values({ name, period: 0, ...row })
        .execute();
    },

    async add(trx, key, spent, expiresAt) {
      const columns = toColumns(spent);
      const row = await trx
        .insertInto('spending')
        .values({ ...key, ...columns, visitor: null, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict.columns(['name', 'period']).doUpdateSet((set) => ({
            model_tokens: set('spending.model_tokens', '+', columns.model_tokens),
            speech_characters: set('spending.speech_characters', '+', columns.speech_characters),
            seconds: set('spending.seconds', '+', columns.seconds),
            texts: set('spending.texts', '+', columns.texts),
            expires_at: expiresAt,
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toSpent(row);
    },

    transact: (run) => transact(db, run),

    async purge(now) {
      await db.deleteFrom('spending').where('expires_at', '<', now).execute();
    },
  };
}

const toColumns = ({ modelTokens, speechCharacters, seconds, texts }: Spent) => ({
  model_tokens: modelTokens,
  speech_characters: speechCharacters,
  seconds,
  texts,
});

const toSpent = (row: Selectable<SpendingTable>): Spent => ({
  modelTokens: row.model_tokens,
  speechCharacters: row.speech_characters,
  seconds: row.seconds,
  texts: row.texts,
});

/** The difference of `total` and `earlier`; never negative. */
export const growth = (earlier: Spent, total: Spent): Spent => ({
  ...(Object.fromEntries(
    UNIT_KEYS.map((unit) => [unit, Math.max(0, total[unit] - earlier[unit])]),
  ) as Amounts),
  texts: Math.max(0, total.texts - earlier.texts),
});
