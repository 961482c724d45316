import { PostgresDialect, PostgresQueryCompiler, type PostgresPool } from 'kysely';
import pg from 'pg';
import { systemClock } from '#shared/clock.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import { ConnectionTurns, type TurnLimits } from './connection-turns.ts';
import { watchInUse, type WatchTimes } from './postgres-watch.ts';
import { storable } from './storable.ts';

/** Per control plane. Requests hold a connection for a few statements only. */
const MAX_CONNECTIONS = 10;
/** Timeout for a new connection. */
const CONNECT_WITHIN_MS = 10_000;
const TURNS: TurnLimits = {
  connections: MAX_CONNECTIONS,
  // Each holds some kilobytes. A takeover writes thousands of sessions at once.
  waiting: 10_000,
  stalledAfterMs: CONNECT_WITHIN_MS,
};
const WATCH: WatchTimes = { askAfterMs: 10_000, answerWithinMs: CONNECT_WITHIN_MS };

const types = new pg.TypeOverrides();
/**
 * By default int8 and its sums are strings. Ours are at most times in microseconds, which fit a
 * number.
 */
for (const type of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]) {
  types.setTypeParser(type, Number);
}

/** Connection unavailable. The message is for the operator and holds no password. */
export class DatabaseUnreachable extends OperatorError {
  override readonly name = 'DatabaseUnreachable';
}

class StorableCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

class StorableDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new StorableCompiler();
  }
}

export function postgresDialect(url: string, watch = WATCH): PostgresDialect {
  const name = nameOf(url);
  const config = { connectionString: url, fallback_application_name: 'troupe' };
  const pool = new pg.Pool({
    ...config,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    types,
  });
  // Ignore broken connections: the next query opens another one, or throws. The pool handles only
  // errors of idle clients, and an unhandled `error` event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  watchInUse(pool, config, watch);
  const unreachable = (cause: unknown) =>
    new DatabaseUnreachable(`${name}: ${reasonOf(cause)}`, { cause });
  // The pool's own queue would apply its timeout to requests that wait for others.
  const turns = new ConnectionTurns(systemClock, TURNS, () =>
    unreachable(new Error('no connection became free')),
  );
  pool.on('release', () => turns.giveBack());
  const connections: PostgresPool = {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      await turns.take();
      try {
        return await pool.connect();
      } catch (cause) {
        turns.giveUp();
        throw unreachable(cause);
      }
    },
  };
  return new StorableDialect({ pool: connections });
}

function nameOf(url: string): string {
  if (!URL.canParse(url)) {
    throw new OperatorError(
      'Configuration: DATABASE_URL must look like postgres://user:password@host:5432/database (in a password, write special characters as %XX)',
    );
  }
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  // The error of a host name with several unreachable addresses has a code but no message.
  const reason = (error instanceof Error && error.message) || String(code);
  return `${reason}. ${advice.get(code) ?? 'Check that it runs and that DATABASE_URL is its address.'}`;
}

const advice = new Map<unknown, string>([
  // invalid_password, invalid_authorization_specification
  ['28P01', 'Check the user and the password in DATABASE_URL.'],
  ['28000', 'Check the user and the password in DATABASE_URL.'],
  // invalid_catalog_name
  ['3D000', 'Create the database, or name another one in DATABASE_URL.'],
  // too_many_connections
  ['53300', `Raise its max_connections: each control plane takes up to ${MAX_CONNECTIONS}.`],
]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/**
 * The connection is unavailable or lost, or the server's disk is full or fails. A statement may
 * have succeeded before the loss.
 */
export const isPostgresAway = (error: unknown): boolean =>
  error instanceof DatabaseUnreachable ||
  AWAY.test(String(codeOf(error))) ||
  (error instanceof Error && ENDED.test(error.message));

/** connection_exception, disk_full, admin_shutdown, crash_shutdown, cannot_connect_now, io_error */
const AWAY = /^(08...|53100|57P0[123]|58030)$/;

/** Closed by the server, or by `watchInUse`; the second text comes from the failed rollback. */
const ENDED = /^Connection terminated|is not queryable$/;

/** unique_violation */
export const isPostgresDuplicate = (error: unknown): boolean => codeOf(error) === '23505';

/** foreign_key_violation */
export const isPostgresBrokenReference = (error: unknown): boolean => codeOf(error) === '23503';
