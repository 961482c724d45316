import { Migrator, type Migration } from 'kysely/migration';
import type { Kysely, PluginTransformResultArgs } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import {
  LAST_MIGRATION,
  lastMigration,
  migrate,
  migrations,
} from '../../../src/records/migrations/migrate.ts';
import { newerMigrations } from '../../../src/records/migrations/newer-migrations.ts';
import { newPlace, type Place } from '../../support/records/database.ts';

const LAST = LAST_MIGRATION.slice(0, 4);
const EXPANDED = '9998-more-columns';

let place: Place;
let db: Database;
beforeEach(async () => {
  // Emptied databases keep their migrations, so these tests share none.
  place = await newPlace({ isBare: true });
  db = place.open();
  await migrate(db);
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

describe('records of a newer version', () => {
  test('are accepted while it has only added', async () => {
    await migrateWith(db, { [EXPANDED]: { up: addColumn } });

    expect(await migrate(db)).toEqual([]);

    expect(await lastMigration(db)).toBe(EXPANDED);
  });

  test('are accepted after it has removed what this version does not use', async () => {
    await migrateWith(db, { [`9999-contract-${LAST}-old-columns`]: nothing });

    expect(await migrate(db)).toEqual([]);
  });

  test('are refused after it has removed what this version uses', async () => {
    await migrateWith(db, {
      [EXPANDED]: { up: addColumn },
      '9999-contract-9998-old-columns': nothing,
    });

    await expect(migrate(db)).rejects.toThrow(
      'A newer version has removed from the database what this one needs (9999-contract-9998-old-columns). Start a version that knows the migration 9998.',
    );
  });

  test('are accepted when it migrates while this version starts', async () => {
    const otherDb = place.open();
    const newerStarts = async () => migrateWith(otherDb, { [EXPANDED]: { up: addColumn } });

    expect(await migrate(afterFirstRead(db, newerStarts))).toEqual([]);

    expect(await lastMigration(db)).toBe(EXPANDED);
    await otherDb.destroy();
  });

  test('are those beyond the last known migration', () => {
    const executed = ['0001-a', '0002-contract-0001-b', '0003-c'];

    expect(newerMigrations(executed, ['0001-a'])).toEqual(executed.slice(1));
    expect(newerMigrations(executed, executed)).toEqual([]);
    expect(newerMigrations([], executed)).toEqual([]);
  });
});

const nothing: Migration = { up: async () => {} };

async function addColumn(on: Kysely<never>): Promise<void> {
  await on.schema.alterTable('sessions').addColumn('of_a_newer_version', 'text').execute();
}

/** Migrates like a version with more migrations. */
async function migrateWith(
  on: Database,
  newerMigrations: Record<string, Migration>,
): Promise<void> {
  const provider = { getMigrations: async () => ({ ...migrations, ...newerMigrations }) };
  const { error } = await new Migrator({ db: on, provider }).migrateToLatest();
  expect(error).toBeUndefined();
}

/** Runs `run` once, after the first read of the executed migrations. */
function afterFirstRead(on: Database, run: () => Promise<void>): Database {
  let isFirst = true;
  return on.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }: PluginTransformResultArgs) {
      const isRead = result.rows.some((row) => row['name'] === LAST_MIGRATION);
      if (isFirst && isRead) {
        isFirst = false;
        await run();
      }
      return result;
    },
  });
}
