/* Tables of accounts, their keys, and what they change. Times as in `tables.ts`. */
import type { Generated } from 'kysely';
import type { accountColumns } from './account-columns.ts';
import type { RowOf } from './columns.ts';

export type AccountsTable = Omit<RowOf<typeof accountColumns>, 'plan' | 'call_stills'> & {
  plan: Generated<string>;
  call_stills: Generated<number>;
  /** Sessions that are not completed. Updated in the transaction that inserts or completes one. */
  live_sessions: Generated<number>;
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

/** Live time of deleted sessions. */
export type DeletedUsageTable = { account_id: string; started_at: number; ended_at: number };

export type AccountDeletionsTable = {
  account_id: string;
  requested_at: number;
  deleted: string;
  completed_at: number | null;
};

export type PeopleTable = {
  id: string;
  /** Null: an operator without an account. */
  account_id: string | null;
  role: 'owner' | 'builder' | 'viewer' | null;
  /** Null: no operator. */
  operator_since: number | null;
  /** Name of an administrator, else null. */
  admin_name: Generated<string | null>;
  /** Unique in the installation: if someone else has the name, an id stands behind it. */
  name: string;
  /** By scrypt, with its salt and cost. Null until one is set. */
  password_hash: Generated<string | null>;
  /** The identity at the OpenID provider. */
  openid_subject: Generated<string | null>;
  created_at: number;
  last_sign_in_at: Generated<number | null>;
};

/** People with a verified e-mail address in the domain join the account. */
export type AccountDomainsTable = {
  id: string;
  account_id: string;
  domain: string;
  role: 'owner' | 'builder' | 'viewer';
  created_at: number;
};

/** Browsers that are signed in. */
export type SignInsTable = {
  id: string;
  person_id: string;
  /** SHA-256 of the cookie in hex. */
  hash: string;
  /** The hash of the cookie before the last rotation. */
  former_hash: Generated<string | null>;
  /** A tag of the password at that time: a new password ends the sign-in. */
  password_tag: string;
  address: string;
  user_agent: string;
  created_at: number;
  rotated_at: number;
  last_seen_at: number;
};

/** One-time links: invitations, and those that sign a person in. */
export type PersonLinksTable = {
  id: string;
  /** SHA-256 of the code in hex. */
  hash: string;
  account_id: string | null;
  /** Person of a sign-in link. Null for an invitation. */
  person_id: string | null;
  grants: string;
  created_at: number;
  expires_at: number;
  used_at: Generated<number | null>;
};
