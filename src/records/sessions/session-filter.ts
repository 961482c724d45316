import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { SessionsTable, Tables } from '../engine/tables/tables.ts';

/**
 * By creation time in milliseconds since the epoch: from `from` (inclusive) to `to` (exclusive).
 */
export type SessionFilter = {
  status?: SessionsTable['status'];
  avatarId?: string;
  transport?: SessionsTable['transport'];
  endReason?: EndReason;
  /** Letters of an id only. */
  idPrefix?: string;
  from?: number;
  to?: number;
};

/** For `where`. */
export function matches(filter: SessionFilter): Expression<SqlBool> {
  const { status, avatarId, transport, endReason, idPrefix, from, to } = filter;
  const is = expressionBuilder<Tables, 'sessions'>();
  const conditions: Expression<SqlBool>[] = [];
  if (status !== undefined) conditions.push(is('status', '=', status));
  if (avatarId !== undefined) conditions.push(is('avatar_id', '=', avatarId));
  if (transport !== undefined) conditions.push(is('transport', '=', transport));
  if (endReason !== undefined) conditions.push(is('end_reason', '=', endReason));
  if (idPrefix !== undefined) conditions.push(is('id', 'like', `${idPrefix}%`));
  // `listed_at` is never before `created_at`; this bound ends the index scan.
  if (from !== undefined)
    conditions.push(is('created_at', '>=', from), is('listed_at', '>=', from * 1000));
  if (to !== undefined) conditions.push(is('created_at', '<', to));
  return is.and(conditions);
}

/** Names the filtered list, so that its cursors are not valid in another one. */
export function nameOf(filter: SessionFilter): string {
  const { status, avatarId, from, to, transport, endReason, idPrefix } = filter;
  const newer = [transport, endReason, idPrefix];
  // Cursors of the version before stay valid.
  const newerValues = newer.some((each) => each !== undefined) ? newer : [];
  return JSON.stringify([status, avatarId, from, to, ...newerValues]);
}
