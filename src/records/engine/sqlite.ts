import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { Checkpoints } from './checkpoints.ts';
import { storable } from './storable.ts';

/** Waits for another process that writes to the file, such as `npm run key`. */
const BUSY_TIMEOUT_MS = 5000;

/** 64 MiB. Beyond it commits run checkpoints themselves, in case `Checkpoints` falls behind. */
const MAX_LOG_PAGES = 16_384;

/** SQLite supports DDL in transactions, so a killed migration leaves no partial changes. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Kysely's SQLite dialect over Node's own driver. `file` may be `:memory:`. */
export function sqliteDialect(file: string): SqliteDialect {
  const database = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  // With WAL and NORMAL a killed process loses nothing. A power cut can lose the last commits, but
  // not the file.
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = normal');
  database.exec(`pragma wal_autocheckpoint = ${MAX_LOG_PAGES}`);
  // An in-memory database has no log.
  const checkpoints = file === ':memory:' ? null : new Checkpoints(file);
  return new NodeSqliteDialect({ database: adapt(database, checkpoints) });
}

function adapt(database: DatabaseSync, checkpoints: Checkpoints | null): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const onCommit = () => checkpoints?.committed();
  return {
    close() {
      checkpoints?.close();
      database.close();
    },
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = adaptStatement(database, sql, onCommit);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function adaptStatement(
  database: DatabaseSync,
  sql: string,
  onCommit: () => void,
): SqliteStatement {
  // Take the write lock at once: upgrading it after a read can fail when another process writes.
  const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql);
  const reader = statement.columns().length > 0;
  return {
    reader,
    all: (parameters) => statement.all(...values(parameters)),
    run(parameters) {
      const result = statement.run(...values(parameters));
      if (sql === 'commit') onCommit();
      return result;
    },
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

const values = (parameters: ReadonlyArray<unknown>) => parameters.map(storable) as SQLInputValue[];

/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE */
export const isSqliteDuplicate = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  (error.errcode === 1555 || error.errcode === 2067);

/** SQLITE_CONSTRAINT_FOREIGNKEY */
export const isSqliteBrokenReference = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 787;
