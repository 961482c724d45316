import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { Checkpoints } from './checkpoints.ts';
import { storable } from './storable.ts';

/** Another process on the same file (`npm run key`) may write: wait for it instead of failing. */
const BUSY_TIMEOUT_MS = 5000;

/** Beyond this the log is copied by whoever commits, should `Checkpoints` not keep up. 64 MiB. */
const MAX_LOG_PAGES = 16_384;

/** SQLite does change tables inside a transaction; a kill in the middle of a migration then leaves nothing half made. */
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
  // With WAL and NORMAL a killed process loses nothing; only a power cut may lose the last commits, never the file.
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = normal');
  database.exec(`pragma wal_autocheckpoint = ${MAX_LOG_PAGES}`);
  // What is in memory only has no log.
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
  // A transaction that begins by reading and then writes may find the file locked half-way: take the lock at once.
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

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
export const isSqliteDuplicate = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  (error.errcode === 1555 || error.errcode === 2067);

/** SQLITE_CONSTRAINT_FOREIGNKEY */
export const isSqliteBrokenReference = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 787;
