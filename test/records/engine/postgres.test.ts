import { Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { checkDatabase } from '../../../src/records/engine/check-database.ts';
import { isAway, openDatabase, type Database } from '../../../src/records/engine/database.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { postgresDialect } from '../../../src/records/engine/postgres.ts';
import { Network } from '../../chaos/network.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import {
  copyDatabase,
  databaseUrl,
  dropDatabase,
} from '../../support/records/postgres-databases.ts';
import { PostgresServer } from '../../support/records/postgres.ts';
import { until } from '../../support/until.ts';

const serverUrl = inject('postgres') ?? '';

describe('an unusable address is reported with advice', () => {
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(serverUrl);
    change(url);
    return url.href;
  };
  const { host } = new URL(serverUrl);

  test.each([
    {
      wrong: 'its port',
      url: changed((url) => (url.port = '1')),
      says: /^PostgreSQL at 127\.0\.0\.1:1\/\S+: connect ECONNREFUSED .* Check that it runs/,
    },
    {
      wrong: 'its name, which has several addresses',
      url: 'postgres://troupe:secret@localhost:1/troupe',
      says: /^PostgreSQL at localhost:1\/troupe: .*ECONNREFUSED.* Check that it runs/,
    },
    {
      wrong: 'its name',
      url: 'postgres://troupe:secret@nowhere.invalid/troupe',
      says: /^PostgreSQL at nowhere\.invalid\/troupe: getaddrinfo .* Check that it runs/,
    },
    {
      wrong: 'the password',
      url: changed((url) => (url.password = 'secret')),
      says: `PostgreSQL at ${host}${new URL(serverUrl).pathname}: password authentication failed for user "postgres". Check the user and the password in DATABASE_URL.`,
    },
    {
      wrong: 'the database',
      url: databaseUrl(serverUrl, 'no_such'),
      says: `PostgreSQL at ${host}/no_such: database "no_such" does not exist. Create the database, or name another one in DATABASE_URL.`,
    },
  ])('$wrong', async ({ url, says }) => {
    const database = openDatabase({ url });

    const failing = migrate(database);

    await expect(failing).rejects.toThrow(says);
    await expect(failing).rejects.not.toThrow('secret');
    await database.destroy();
  });

  test('does not show an invalid address, which may hold a password', () => {
    const url = 'postgres://troupe:se#cret@db/troupe';

    expect(() => openDatabase({ url })).toThrow(/^Configuration: DATABASE_URL must look like/);
    expect(() => openDatabase({ url })).not.toThrow('cret');
  });

  test('explains that a role may not create tables', async () => {
    const url = await copyDatabase(databaseUrl(serverUrl, 'template1'));
    const owner = openDatabase({ url });
    await runAs(owner, "create role guest login password 'guest'");
    const guest = new URL(url);
    guest.username = guest.password = 'guest';
    const database = openDatabase({ url: guest.href });

    await expect(migrate(database)).rejects.toThrow(/could not be migrated: permission denied/);

    await database.destroy();
    await runAs(owner, 'drop role guest');
    await owner.destroy();
    await dropDatabase(url);
  });
});

describe('readiness', () => {
  test('is refused by a database that takes no writes', async () => {
    const url = await copyDatabase(databaseUrl(serverUrl, 'template1'));
    const owner = openDatabase({ url });
    const name = new URL(url).pathname.slice(1);
    await expect(checkDatabase(owner, { url })).resolves.toBeUndefined();
    await runAs(owner, `alter database "${name}" set default_transaction_read_only = on`);
    const later = openDatabase({ url });

    await expect(checkDatabase(later, { url })).rejects.toThrow('takes no writes');

    await Promise.all([owner.destroy(), later.destroy()]);
    await dropDatabase(url);
  });
});

describe('a broken connection', () => {
  let place: Place;
  let db: Database;
  let otherDb: Database;
  beforeEach(async () => {
    place = await newPlace();
    db = place.open();
    otherDb = place.open();
  });
  afterEach(async () => {
    await Promise.all([db.destroy(), otherDb.destroy()]);
    await place.remove();
  });

  /** Ends every connection but that of `other`, like an administrator or a proxy. */
  const cut = () =>
    runAs(
      otherDb,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  const accounts = async () =>
    (await db.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => id);

  const isBack = () =>
    accounts().then(
      () => true,
      () => false,
    );

  test('while idle is replaced for the next query', async () => {
    await Promise.all(Array.from({ length: 5 }, (_, number) => addAccount(db, `${number}`)));
    await cut();

    await until(isBack);
    expect(await accounts()).toHaveLength(5);
  });

  test('during a query fails that query only', async () => {
    const failed = expect(runAs(db, 'select pg_sleep(60)')).rejects.toThrow();
    await until(async () => (await activity('select pg_sleep(60)')) === 1);

    await cut();

    await failed;
    await until(isBack);
  });

  test('between two statements of a transaction rolls both back', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await addAccount(trx, 'lost');
      await cut();
      // The process learns of it before the next statement, with no query pending.
      await until(async () => (await activity()) === 0);
      await addAccount(trx, 'lost too');
    });

    await expect(failing).rejects.toThrow();
    await addAccount(db, 'kept');
    expect(await accounts()).toEqual(['kept']);
  });

  /** Number of connections of `db` that run this query, or of all connections. */
  async function activity(query = ''): Promise<number> {
    const processes = await runAs(
      otherDb,
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%${query}%'`,
    );
    return processes.length;
  }
});

describe('an unreachable server that closes no connection', () => {
  /** A server that is only slow needs a while for a new connection on a busy machine. */
  const TIMES = { askAfterMs: 200, answerWithinMs: 1_500 };
  let place: Place;
  let network: Network;
  let db: Database;
  beforeEach(async () => {
    place = await newPlace();
    network = await Network.open(() => [serverUrl], 0);
    const url = new URL(place.env.DATABASE_URL ?? serverUrl);
    url.port = new URL(network.url).port;
    db = new Kysely({ dialect: postgresDialect(url.href, TIMES) });
  });
  afterEach(async () => {
    network.resume();
    await db.destroy();
    network.close();
    await place.remove();
  });

  test('fails waiting queries as unreachable', async () => {
    await addAccount(db, 'first');
    network.pause();

    const error = await addAccount(db, 'second').catch((error: unknown) => error);

    expect(isAway(error)).toBe(true);
    network.resume();
    await addAccount(db, 'third');
  });

  test('fails a running transaction', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await addAccount(trx, 'lost');
      network.pause();
      await addAccount(trx, 'lost too');
    });

    expect(isAway(await failing.catch((error: unknown) => error))).toBe(true);
    network.resume();
    expect(await db.selectFrom('accounts').select('id').execute()).toEqual([]);
  });

  test('is told apart from a slow one', async () => {
    expect(await runAs(db, 'select pg_sleep(1)')).toHaveLength(1);
  });
});

describe('a server that restarts', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await PostgresServer.open();
    url = await copyDatabase(server.url);
  });
  afterAll(() => server.close());

  test('is reconnected with all records', async () => {
    const db = openDatabase({ url });
    await migrate(db);
    await Promise.all(Array.from({ length: 20 }, (_, number) => addAccount(db, `${number}`)));
    const count = async () => (await db.selectFrom('accounts').select('id').execute()).length;

    await server.stop();
    await expect(count()).rejects.toThrow();
    await expect(count()).rejects.toThrow(/^PostgreSQL at .* ECONNREFUSED .* Check that it runs/);
    await server.start();

    expect(await count()).toBe(20);
    await db.destroy();
  });
});

async function runAs(database: Database, statement: string): Promise<unknown[]> {
  return (await sql.raw(statement).execute(database)).rows;
}

const addAccount = (to: Pick<Database, 'insertInto'>, id: string) =>
  to.insertInto('accounts').values({ id, name: id, created_at: 1 }).execute();
