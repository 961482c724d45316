import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompiledQuery, Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAway, openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { sessionRecords } from '../../../src/records/sessions/sessions.ts';
import { reusableBytes, sqliteDialect } from '../../../src/records/engine/sqlite.ts';
import { usageRecords } from '../../../src/records/sessions/usage.ts';
import { hasSmallDisks, SmallDisk } from '../../support/processes/small-disk.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

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
    const sessions = sessionRecords(db, testEncryptor(secret), new Lists(secret));

    await sessions.findLiveByFingerprint('a', 'f');
    expect(await wayOfTheLastOne()).toContain('INDEX sessions_live (account_id=? AND token_fin');
    await sessions.live();
    expect(await wayOfTheLastOne()).toContain('INDEX sessions_live');
    await sessions.findByIdempotencyKey('a', 'k');
    expect(await wayOfTheLastOne()).toContain('INDEX sessions_idempotency');
  });

  test('for usage read only live sessions and those that ended since', async () => {
    await usageRecords(db).between('a', { from: 1, to: 2 });

    const queryPlan = await wayOfTheLastOne();
    expect(queryPlan).toContain('INDEX sessions_live (account_id=?)');
    expect(queryPlan).toContain('INDEX sessions_usage (account_id=? AND ended_at>?)');
  });
});

const addAccount = (to: Database, id: string, name: string) =>
  to.insertInto('accounts').values({ id, name, created_at: 0 }).execute();
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('SQLite on a full disk', () => {
  let disk: SmallDisk;
  let db: Database;
  beforeEach(async () => {
    disk = new SmallDisk(8);
    db = openDatabase({ dataDir: disk.folder });
    await migrate(db);
  });
  afterEach(async () => {
    await db.destroy();
    disk.close();
  });

  const names = async () =>
    (await db.selectFrom('accounts').select('id').execute()).map((a) => a.id);
  const large = 'x'.repeat(1024 ** 2);

  test('fails writes as unavailable, and works again when there is room', async () => {
    await addAccount(db, 'first', 'small');
    disk.fill();

    const failure = await failureOf(addAccount(db, 'lost', large));

    expect(failure).toMatchObject({ message: expect.stringMatching(/full|disk/) });
    expect(isAway(failure)).toBe(true);
    expect(await names()).toEqual(['first']);
    disk.relieve();
    await addAccount(db, 'second', large);
    expect(await names()).toEqual(['first', 'second']);
  });

  test('undoes a transaction and reports what failed, not the rollback', async () => {
    // The transaction outgrows the cache, so that its statements already write to the disk.
    await db.executeQuery(CompiledQuery.raw('pragma cache_size = 10'));
    disk.fill(64 * 1024);

    const failure = await failureOf(
      db.transaction().execute(async (trx) => {
        for (const id of ['a', 'b', 'c']) await addAccount(trx, id, large);
      }),
    );

    expect(isAway(failure), String(failure)).toBe(true);
    expect(await names()).toEqual([]);
    disk.relieve();
    await db.transaction().execute((trx) => addAccount(trx, 'later', 'small'));
    expect(await names()).toEqual(['later']);
  });

  test('knows the bytes that deleted rows left free', async () => {
    expect(await reusableBytes(db)).toBe(0);
    await addAccount(db, 'first', large);

    await db.deleteFrom('accounts').execute();

    expect(await reusableBytes(db)).toBeGreaterThan(1_000_000);
  });
});

test.each([
  { what: 'SQLITE_IOERR_WRITE', errcode: 778, expected: true },
  { what: 'SQLITE_FULL', errcode: 13, expected: true },
  { what: 'SQLITE_CANTOPEN', errcode: 14, expected: true },
  { what: 'SQLITE_CONSTRAINT_UNIQUE', errcode: 2067, expected: false },
  { what: 'SQLITE_ERROR', errcode: 1, expected: false },
])('$what means that the database is away: $expected', ({ errcode, expected }) => {
  expect(isAway(Object.assign(new Error('x'), { errcode }))).toBe(expected);
});
