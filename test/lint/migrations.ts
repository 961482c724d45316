/* Finds steps that break the version before. `newer-migrations.ts` has the rule. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { openDatabase } from '../../src/records/engine/database.ts';

/** Names of tables, and of columns as `table.column`, before the migration. */
export type Schema = ReadonlySet<string>;

const NAME = String.raw`"?(\w+)"?`;
const REMOVES = /\bdrop (?:table|column|constraint|view|not null)\b/;
const RENAMES = /\brename (?:to|column)\b/;
const CHANGES_COLUMN = /\balter column\b/;
const ADDS_REQUIRED = /\badd column (?!.*\bdefault\b).*\bnot null\b/;
const LIMITS_ROWS = new RegExp(
  String.raw`\b(?:create unique index .*? on|create trigger .*? on|alter table(?= ${NAME} add constraint)) ${NAME}`,
);
/** Runs after the change that an older version makes, and may change rows elsewhere. */
const COPIES_ROWS = /^create (?:function|trigger \S+ after) /;
const REFUSES_ROWS = /\braise\b/;
const DELETES = new RegExp(String.raw`\bdelete from ${NAME}`);
const UPDATES = new RegExp(String.raw`\bupdate ${NAME}(?: as \w+)? set (.*)`);

/** Null for a statement that only adds. */
export function problemOf(statement: string, schema: Schema): string | null {
  const text = statement.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  if (COPIES_ROWS.test(text))
    return REFUSES_ROWS.test(text) ? 'refuses rows that older versions write' : null;
  if (REMOVES.test(text)) return 'removes a table, column or constraint';
  if (RENAMES.test(text)) return 'renames';
  if (CHANGES_COLUMN.test(text)) return 'changes a column';
  if (ADDS_REQUIRED.test(text)) return 'adds a required column without a default';
  const limited = LIMITS_ROWS.exec(text)?.at(-1);
  if (limited !== undefined && schema.has(limited))
    return `limits the rows of ${limited}, which older versions write`;
  const deleted = DELETES.exec(text)?.[1];
  if (deleted !== undefined && schema.has(deleted)) return `deletes rows of ${deleted}`;
  const [, table = '', assignments = ''] = UPDATES.exec(text) ?? [];
  const changed = columnsSet(assignments).find((column) => schema.has(`${table}.${column}`));
  return changed === undefined ? null : `changes ${table}.${changed}, which older versions read`;
}

/** Columns on the left of `=`, outside parentheses and before `where`. */
function columnsSet(assignments: string): string[] {
  let flat = assignments;
  for (let shorter = ''; shorter !== flat; flat = flat.replaceAll(/\([^()]*\)/g, ''))
    shorter = flat;
  const [list = ''] = flat.split(/\b(?:where|from)\b/);
  return [...list.matchAll(new RegExp(String.raw`(?:^|,) ?${NAME} ?=`, 'g'))].map(
    ([, name]) => name!,
  );
}

/** The problems of each migration, by name, on SQLite and PostgreSQL. */
export async function problemsOf(
  migrations: Record<string, Migration>,
): Promise<Map<string, string[]>> {
  const problems = new Map<string, string[]>();
  const db = openDatabase('memory');
  try {
    for (const [name, migration] of Object.entries(migrations)) {
      const schema = await schemaOf(db);
      const refusals = [
        ...(await statementsOnPostgres(migration)),
        ...(await statementsOnSqlite(db, migrations, name)),
      ].flatMap((statement) => problemOf(statement, schema) ?? []);
      problems.set(name, [...new Set(refusals)]);
    }
  } finally {
    await db.destroy();
  }
  return problems;
}

type Records = ReturnType<typeof openDatabase>;

async function schemaOf(db: Records): Promise<Schema> {
  const tables = await db.introspection.getTables();
  return new Set(
    tables.flatMap((table) => [
      table.name,
      ...table.columns.map((column) => `${table.name}.${column.name}`),
    ]),
  );
}

/** Runs the migration, and those before it that have not run. */
async function statementsOnSqlite(
  db: Records,
  migrations: Record<string, Migration>,
  name: string,
): Promise<string[]> {
  const statements: string[] = [];
  const noting: Migration = {
    up: (on: Kysely<never>) =>
      migrations[name]!.up(notedBy(on, (statement) => statements.push(statement))),
  };
  const provider = { getMigrations: async () => ({ ...migrations, [name]: noting }) };
  const { error } = await new Migrator({ db, provider }).migrateTo(name);
  if (error) throw error;
  return statements;
}

/** Runs the migration on a PostgreSQL that answers nothing. */
async function statementsOnPostgres(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (on) => new PostgresIntrospector(on),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  await migration.up(notedBy(db, (statement) => statements.push(statement)));
  return statements;
}

/** The database, with every statement noted before it runs. */
function notedBy(db: Kysely<never>, note: (statement: string) => void): Kysely<never> {
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      note(db.getExecutor().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}
