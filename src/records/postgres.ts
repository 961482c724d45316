import { PostgresDialect } from 'kysely';
import pg from 'pg';

/** Of one control plane: a POST holds one for a few statements only. */
const MAX_CONNECTIONS = 10;

/** int8 is text by default, because not all of it fits a number: ours are times in microseconds, which do. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

export function postgresDialect(url: string): PostgresDialect {
  const pool = new pg.Pool({ connectionString: url, max: MAX_CONNECTIONS, types });
  // A connection that breaks while it is idle: the next query takes another one, and says so if it cannot.
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}

/** unique_violation */
export const isPostgresDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

/** foreign_key_violation */
export const isPostgresBrokenReference = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503';
