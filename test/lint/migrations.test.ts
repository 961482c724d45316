import { PostgresAdapter, type Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrations } from '../../src/records/migrations/migrate.ts';
import { contractedFor } from '../../src/records/migrations/newer-migrations.ts';
import { problemOf, problemsOf } from './migrations.ts';

/** Before it, all control planes were replaced at once. */
const LAST_WITHOUT_RULE = '0020-speech-sources';

const names = Object.keys(migrations);
const schema = new Set(['sessions', 'sessions.status', 'sessions.note']);

describe('migrations', () => {
  test('only add, unless their name says which version no longer needs what they remove', async () => {
    const problems = [...(await problemsOf(migrations))].filter(
      ([name, found]) =>
        name > LAST_WITHOUT_RULE && contractedFor(name) === null && found.length > 0,
    );

    expect(Object.fromEntries(problems)).toEqual({});
  });

  test('contract for an earlier migration', () => {
    const numbers = names.map((name) => name.slice(0, 4));
    const wrong = names.filter((name) => {
      const needed = contractedFor(name);
      return needed !== null && !(numbers.includes(needed) && needed < name.slice(0, 4));
    });

    expect(wrong).toEqual([]);
  });

  test('of the time before the rule show that it sees statements of both databases', async () => {
    const problems = await problemsOf(migrations);

    expect(problems.get('0009-one-session-a-room')).toEqual([
      'changes sessions.token_fingerprint, which older versions read',
      'limits the rows of sessions, which older versions write',
    ]);
    expect(problems.get('0012-stored-bytes')).toEqual([]);
  });

  test('that touch only PostgreSQL are seen too', async () => {
    const migration = { up: dropOnPostgres };

    expect((await problemsOf({ ...migrations, '9999-a': migration })).get('9999-a')).toEqual([
      'removes a table, column or constraint',
    ]);
  });
});

describe('a statement', () => {
  test.each([
    'alter table "sessions" drop column "note"',
    'drop table "sessions"',
    'alter table "sessions" rename column "note" to "remark"',
    'alter table "sessions" rename to "meetings"',
    'alter table "sessions" alter column "note" type integer',
    'alter table "sessions" alter column "note" drop not null',
    'alter table "sessions" add column "size" bigint not null',
    'create unique index "one" on "sessions" ("note")',
    'alter table "sessions" add constraint "one" unique ("note")',
    'create trigger "t" before insert on "sessions" begin select 1; end',
    `create trigger "t" after insert on "sessions" begin select raise(abort, 'no'); end`,
    `create function f() returns trigger as $$ begin raise exception 'no'; end $$`,
    'delete from "sessions" where "status" = ?',
    'update "sessions" set "size" = 1, "note" = ? where "status" = ?',
    'update sessions\n  set note = null',
  ])('is refused: %s', (statement) => {
    expect(problemOf(statement, schema)).not.toBeNull();
  });

  test.each([
    'create table "notes" ("id" text primary key)',
    'alter table "sessions" add column "size" bigint',
    'alter table "sessions" add column "size" bigint default 0 not null',
    'alter table "sessions" add column "size" bigint not null default 0',
    'create index "by_note" on "sessions" ("note")',
    'create unique index "one" on "notes" ("id")',
    'drop index "by_note"',
    'create trigger "t" after insert on "sessions" begin insert into "notes" values (new.id); end',
    'create trigger "t" after delete on "sessions" for each row execute function f()',
    'update sessions set size = coalesce((select 1 where note = 2), 0) where note = 1',
    'insert into "notes" ("id") values (?)',
    'select * from "sessions"',
  ])('is accepted: %s', (statement) => {
    expect(problemOf(statement, schema)).toBeNull();
  });
});

async function dropOnPostgres(db: Kysely<never>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await db.schema.alterTable('sessions').dropColumn('status').execute();
}
