/* Tables of accounts, their keys, and what they change. Times as in `tables.ts`. */
import type { Generated } from 'kysely';

export type AccountsTable = {
  id: string;
  name: string;
  created_at: number;
  plan: Generated<string>;
  /** Sessions that are not completed. Updated in the transaction that inserts or completes one. */
  live_sessions: Generated<number>;
  picture_consent: Generated<string | null>;
  /** Worker pool; null: the default pool. */
  pool: Generated<string | null>;
  retention: Generated<string | null>;
};

export type ApiKeysTable = {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the key in hex. The key itself is never stored. */
  hash: string;
  created_at: number;
  scope: Generated<'all' | 'operator'>;
  last_used_at: Generated<number | null>;
  revoked_at: Generated<number | null>;
  expires_at: Generated<number | null>;
  scopes: Generated<string | null>;
  allowed_networks: Generated<string | null>;
  last_used_address: Generated<string | null>;
};

export type AuditEntriesTable = {
  id: string;
  account_id: string | null;
  actor_type: 'key' | 'admin' | 'page' | 'command' | 'service';
  actor_id: string | null;
  actor_name: string | null;
  address: string | null;
  action: string;
  target_id: string | null;
  before_sealed: string | null;
  after_sealed: string | null;
  created_at: number;
  listed_at: number;
};

/** Live time of deleted sessions. */
export type DeletedUsageTable = { account_id: string; started_at: number; ended_at: number };

export type AccountDeletionsTable = {
  account_id: string;
  requested_at: number;
  deleted: string;
  completed_at: number | null;
};

export type AdminsTable = {
  id: string;
  name: string;
  /** By scrypt, with its salt and cost. */
  password_hash: string;
  created_at: number;
  last_sign_in_at: Generated<number | null>;
};
