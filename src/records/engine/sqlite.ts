import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  sql,
  SqliteAdapter,
  SqliteDialect,
  type Kysely,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { Checkpoints } from './checkpoints.ts';
import { storable } from './storable.ts';

/** Waits for another process that writes to the file, such as `npm run key`. */
const BUSY_TIMEOUT_MS = 5000;

const PAGE_BYTES = 4096;
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
  // The log would otherwise keep the size of its largest transaction.
  database.exec(`pragma journal_size_limit = ${MAX_LOG_PAGES * PAGE_BYTES}`);
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
      const cachedStatement = statements.get(sql);
      if (cachedStatement) return cachedStatement;
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
      if (sql === 'rollback') return rollBack(statement);
      const result = statement.run(...values(parameters));
      if (sql === 'commit') onCommit();
      return result;
    },
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

/**
 * A full disk ends the transaction by itself: an error of its rollback would hide the first one.
 */
function rollBack(statement: StatementSync) {
  try {
    return statement.run();
  } catch (error) {
    if (error instanceof Error && /no transaction is active/.test(error.message)) {
      return { changes: 0, lastInsertRowid: 0 };
    }
    throw error;
  }
}

const values = (parameters: ReadonlyArray<unknown>) => parameters.map(storable) as SQLInputValue[];

/** Bytes in the file that deleted rows left free. */
export async function reusableBytes<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select freelist_count * page_size as bytes
    from pragma_freelist_count(), pragma_page_size()`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE */
export const isSqliteDuplicate = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  (error.errcode === 1555 || error.errcode === 2067);

/** SQLITE_CONSTRAINT_FOREIGNKEY */
export const isSqliteBrokenReference = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 787;

/** SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN: the disk is full or fails. */
const DISK_ERRORS = new Set([10, 13, 14]);

/** The database cannot be written or read at the moment. */
export const isSqliteAway = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  // The low byte of an extended code is the code itself.
  DISK_ERRORS.has(Number(error.errcode) & 0xff);
