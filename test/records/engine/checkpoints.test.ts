import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { until } from '../../support/until.ts';

let dataDir: string;
let db: Database;
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-checkpoints-'));
  db = openDatabase({ dataDir });
  await migrate(db);
});
afterEach(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true });
});

const sizeOf = (name: string): number => statSync(path.join(dataDir, name)).size;

test('the log is checkpointed during writes, long before it is full', async () => {
  const accounts = accountRecords(db);
  const { id } = await accounts.first(0);
  const startSize = sizeOf('troupe.sqlite');

  for (let commit = 0; commit < 600; commit += 1) {
    await db.transaction().execute(async (trx) => {
      const name = `${commit} ${'x'.repeat(2_000)}`;
      await trx
        .insertInto('accounts')
        .values({ id: `${id}${commit}`, name, created_at: 0 })
        .execute();
    });
  }

  await until(() => sizeOf('troupe.sqlite') > startSize + 500_000);
});
