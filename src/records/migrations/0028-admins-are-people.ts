/*
 * Administrators become people: operators without an account. Versions before this one still read
 * and write `admins`, so triggers copy each change from one table to the other. A contract for this
 * migration removes the triggers and the table.
 */
import { PostgresAdapter, sql, type Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // A person of an account is never an administrator.
  await db.schema
    .alterTable('people')
    .addColumn('admin_name', 'text', (column) =>
      column.check(sql`admin_name is null or account_id is null`),
    )
    .execute();
  await db.schema.createIndex('people_by_admin_name').on('people').column('admin_name').execute();

  // First: on PostgreSQL it also locks out writers, so that no administrator is missed.
  await addTriggers(db, adminTriggers);
  await sql
    .raw(`insert into people ${columns} select ${valuesOf('admins')} from admins`)
    .execute(db);
  await addTriggers(db, personTriggers);
}

const columns =
  '(id, operator_since, name, admin_name, password_hash, created_at, last_sign_in_at)';

/** `row`: of `admins`. Only names of people are unique; a namesake keeps theirs. */
const nameOf = (row: string): string =>
  `case when exists (select 1 from people where name = ${row}.name and id <> ${row}.id)
    then ${row}.name || ' ' || ${row}.id else ${row}.name end`;

const valuesOf = (row: string): string =>
  `${row}.id, ${row}.created_at, ${nameOf(row)}, ${row}.name, ${row}.password_hash, ${row}.created_at, ${row}.last_sign_in_at`;

type Trigger = { name: string; event: string; statement: string };

/**
 * Statements change only rows that differ, so that the two tables do not call each other forever.
 */
const adminTriggers: Trigger[] = [
  {
    name: 'admin_added',
    event: 'insert on admins',
    statement: `insert into people ${columns} select ${valuesOf('new')}
      where not exists (select 1 from people where id = new.id)`,
  },
  {
    name: 'admin_changed',
    event: 'update on admins',
    statement: `update people set name = ${nameOf('new')}, admin_name = new.name,
      password_hash = new.password_hash, last_sign_in_at = new.last_sign_in_at
      where id = new.id and (admin_name <> new.name or password_hash <> new.password_hash
        or last_sign_in_at is distinct from new.last_sign_in_at)`,
  },
  {
    name: 'admin_removed',
    event: 'delete on admins',
    statement: 'delete from people where id = old.id and admin_name is not null',
  },
];

const personTriggers: Trigger[] = [
  {
    name: 'person_added',
    event: 'insert on people',
    statement: `insert into admins (id, name, password_hash, created_at, last_sign_in_at)
      select new.id, new.admin_name, new.password_hash, new.created_at, new.last_sign_in_at
      where new.admin_name is not null and not exists (select 1 from admins where id = new.id)`,
  },
  {
    name: 'person_changed',
    event: 'update on people',
    statement: `update admins set name = new.admin_name, password_hash = new.password_hash,
      last_sign_in_at = new.last_sign_in_at
      where id = new.id and new.admin_name is not null
        and (name <> new.admin_name or password_hash <> new.password_hash
          or last_sign_in_at is distinct from new.last_sign_in_at)`,
  },
  {
    name: 'person_removed',
    event: 'delete on people',
    statement: 'delete from admins where id = old.id and old.admin_name is not null',
  },
];

async function addTriggers(db: Kysely<never>, triggers: Trigger[]): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const { name, event, statement } of triggers) {
    const created = `create trigger ${name} after ${event}`;
    const statements = isPostgres
      ? [
          `create function ${name}() returns trigger language plpgsql as
           $$ begin ${statement}; return null; end $$`,
          `${created} for each row execute function ${name}()`,
        ]
      : [`${created} begin ${statement}; end`];
    for (const text of statements) await sql.raw(text).execute(db);
  }
}
