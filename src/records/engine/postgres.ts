import { PostgresDialect, PostgresQueryCompiler, type PostgresPool } from 'kysely';
import pg from 'pg';
import { watchInUse, type WatchTimes } from './postgres-watch.ts';
import { storable } from './storable.ts';

/** Of one control plane: a POST holds one for a few statements only. */
const MAX_CONNECTIONS = 10;
/** How long to wait for a connection, new or free. */
const CONNECT_WITHIN_MS = 10_000;
const WATCH: WatchTimes = { askAfterMs: 10_000, answerWithinMs: CONNECT_WITHIN_MS };

const types = new pg.TypeOverrides();
/** int8, and its sums, are text by default, because not all of them fit a number: ours are times in microseconds, which do. */
for (const type of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]) {
  types.setTypeParser(type, Number);
}

/** There is no connection to be had. The message is for whoever runs the service and holds no password. */
export class DatabaseUnreachable extends Error {
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
  // A connection that breaks: the next query takes another one, and says so if it cannot. The pool listens to those that are idle only, and an
  // error that nobody listens to would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  watchInUse(pool, config, watch);
  const connections: PostgresPool = {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return await pool.connect();
      } catch (cause) {
        throw new DatabaseUnreachable(`${name}: ${reasonOf(cause)}`, { cause });
      }
    },
  };
  return new StorableDialect({ pool: connections });
}

function nameOf(url: string): string {
  if (!URL.canParse(url)) {
    throw new Error(
      'Configuration: DATABASE_URL is no address like postgres://user:password@host:5432/database (in a password, write special characters as %XX)',
    );
  }
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  // Of a name with several addresses, none of which answers, only the code is known.
  const said = (error instanceof Error && error.message) || String(code);
  return `${said}. ${advice.get(code) ?? 'Check that it runs and that DATABASE_URL is its address.'}`;
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

/** No connection is to be had, or the one that was there is not any more: whether it did what it was asked is not known then. */
export const isPostgresAway = (error: unknown): boolean =>
  error instanceof DatabaseUnreachable ||
  AWAY.test(String(codeOf(error))) ||
  (error instanceof Error && ENDED.test(error.message));

/** connection_exception, and shutdowns: by an administrator, by a crash, or one that is not over. */
const AWAY = /^(08...|57P0[123])$/;

/** By the server, or by us because it is cut off; then a transaction cannot even be rolled back. */
const ENDED = /^Connection terminated|is not queryable$/;

/** unique_violation */
export const isPostgresDuplicate = (error: unknown): boolean => codeOf(error) === '23505';

/** foreign_key_violation */
export const isPostgresBrokenReference = (error: unknown): boolean => codeOf(error) === '23503';
