/*
 * The tables as they are in the database, and the one place that knows which database it is.
 * Times are milliseconds since the epoch; what is JSON is text, so that every database keeps it alike.
 * Inside a transaction always use its own executor: SQLite has one connection, and asking `db` there waits for ever.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import type { EndReason } from '#shared/end-reasons.ts';
import { isSqliteDuplicate, sqliteDialect } from './sqlite.ts';

export type AccountsTable = { id: string; name: string; created_at: number };

export type ApiKeysTable = {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the key, in hex: the key itself is never stored. */
  hash: string;
  created_at: number;
};

export type SessionsTable = {
  id: string;
  account_id: string;
  transport: string;
  avatar_id: string;
  room_url: string;
  room_token_sealed: string;
  token_fingerprint: string;
  built_in_room: string | null;
  status: 'to_start' | 'ongoing' | 'completed';
  started_at: number | null;
  ended_at: number | null;
  end_reason: EndReason | null;
  epoch: number;
  worker_id: string | null;
  video: string;
  max_length_minutes: number | null;
  metadata: string;
  idempotency_key: string | null;
  created_at: number;
  /** Microseconds, rising with each insert: what lists are ordered by. */
  listed_at: number;
};

export type RepliesTable = {
  account_id: string;
  idempotency_key: string;
  request_hash: string;
  status: number;
  body_sealed: string;
  created_at: number;
};

export type Tables = {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  sessions: SessionsTable;
  replies: RepliesTable;
};

export type Database = Kysely<Tables>;

/** Opens the records in `dataDir`, or in memory for tests. Close it with `destroy()`. */
export function openDatabase(where: { dataDir: string } | 'memory'): Database {
  if (where === 'memory') return new Kysely<Tables>({ dialect: sqliteDialect(':memory:') });
  mkdirSync(where.dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(where.dataDir, 'troupe.sqlite');
  // Made before SQLite does: for its owner only.
  closeSync(openSync(file, 'a', 0o600));
  return new Kysely<Tables>({ dialect: sqliteDialect(file) });
}

/** The row is already there, by its primary key or a unique index. */
export const isDuplicate = isSqliteDuplicate;
