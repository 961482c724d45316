import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompiledQuery, Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { createEncryptor } from '../../../src/records/engine/encryptor.ts';
import { sessionRecords } from '../../../src/records/sessions/sessions.ts';
import { sqliteDialect } from '../../../src/records/engine/sqlite.ts';
import { usageRecords } from '../../../src/records/sessions/usage.ts';

test("SQLite's files are readable by their owner only", async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'troupe-records-'));
  const dataDir = path.join(parent, 'data');
  const db = openDatabase({ dataDir });
  await migrate(db);

  const modeOf = (file: string) => statSync(path.join(dataDir, file)).mode & 0o777;
  expect(modeOf('.')).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(modeOf(`troupe.sqlite${suffix}`)).toBe(0o600);
  await db.destroy();
  rmSync(parent, { recursive: true });
});

const secret = Buffer.alloc(32);

describe('session queries', () => {
  let queries: CompiledQuery[];
  let db: Database;
  beforeEach(async () => {
    queries = [];
    db = new Kysely({
      dialect: sqliteDialect(':memory:'),
      log({ query }) {
        queries.push(query);
      },
    });
    await migrate(db);
    queries = [];
  });
  afterEach(() => db.destroy());

  const wayOfTheLastOne = async (): Promise<string> => {
    const { sql, parameters } = queries.at(-1)!;
    const query = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(query);
    return rows.map(({ detail }) => detail).join('; ');
  };

  test('use partial indexes of live sessions or keys', async () => {
    const sessions = sessionRecords(db, createEncryptor(secret), new Lists(secret));

    await sessions.findLiveByFingerprint('a', 'f');
    expect(await wayOfTheLastOne()).toContain('INDEX sessions_live (account_id=? AND token_fin');
    await sessions.live();
    expect(await wayOfTheLastOne()).toContain('INDEX sessions_live');
    await sessions.findByIdempotencyKey('a', 'k');
    expect(await wayOfTheLastOne()).toContain('INDEX sessions_idempotency');
  });

  test('for usage read only live sessions and those that ended since', async () => {
    await usageRecords(db).between('a', { from: 1, to: 2 });

    const way = await wayOfTheLastOne();
    expect(way).toContain('INDEX sessions_live (account_id=?)');
    expect(way).toContain('INDEX sessions_usage (account_id=? AND ended_at>?)');
  });
});
