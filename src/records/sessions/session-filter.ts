import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { SessionsTable, Tables } from '../engine/tables.ts';

/**
 * By creation time in milliseconds since the epoch: from `from` (inclusive) to `to` (exclusive).
 */
export type SessionFilter = {
  status?: SessionsTable['status'];
  avatarId?: string;
  from?: number;
  to?: number;
};

/** For `where`. */
export function matches({ status, avatarId, from, to }: SessionFilter): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'sessions'>();
  const all: Expression<SqlBool>[] = [];
  if (status !== undefined) all.push(is('status', '=', status));
  if (avatarId !== undefined) all.push(is('avatar_id', '=', avatarId));
  // `listed_at` is never before `created_at`; this bound ends the index scan.
  if (from !== undefined)
    all.push(is('created_at', '>=', from), is('listed_at', '>=', from * 1000));
  if (to !== undefined) all.push(is('created_at', '<', to));
  return is.and(all);
}

/** Names the filtered list, so that its cursors are not valid in another one. */
export const nameOf = ({ status, avatarId, from, to }: SessionFilter): string =>
  JSON.stringify([status, avatarId, from, to]);
