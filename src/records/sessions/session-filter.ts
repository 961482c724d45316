import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { SessionsTable, Tables } from '../engine/database.ts';

/** Times are those of the request, in milliseconds since the epoch: from `from` on, before `to`. */
export type SessionFilter = {
  status?: SessionsTable['status'];
  avatarId?: string;
  from?: number;
  to?: number;
};

/** For `where`. */
export function fits({ status, avatarId, from, to }: SessionFilter): Expression<SqlBool> {
  const is = expressionBuilder<Tables, 'sessions'>();
  const all: Expression<SqlBool>[] = [];
  if (status !== undefined) all.push(is('status', '=', status));
  if (avatarId !== undefined) all.push(is('avatar_id', '=', avatarId));
  // No row is listed earlier than it was made: the search ends there.
  if (from !== undefined)
    all.push(is('created_at', '>=', from), is('listed_at', '>=', from * 1000));
  if (to !== undefined) all.push(is('created_at', '<', to));
  return is.and(all);
}

/** Which list it makes of all sessions: a cursor of one says nothing in another. */
export const nameOf = ({ status, avatarId, from, to }: SessionFilter): string =>
  JSON.stringify([status, avatarId, from, to]);
