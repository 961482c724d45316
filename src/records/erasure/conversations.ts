/*
 * Deletes sessions and calls with everything about them: timelines, transcripts, webhook events and
 * stored replies. Their live time still counts against the plan's minutes.
 */
import { sql } from 'kysely';
import type { Transaction } from '../engine/database.ts';
import { addErased, type Erased } from './erased.ts';

/** Longer than a month: nothing older counts. */
const COUNTED_MS = 32 * 86_400_000;

/** Completed sessions of the account. */
export async function eraseSessions(
  trx: Transaction,
  accountId: string,
  ids: readonly string[],
  now: number,
): Promise<Erased> {
  if (ids.length === 0) return {};
  const timelines = await trx
    .deleteFrom('timeline_parts')
    .where('session_id', 'in', ids)
    .executeTakeFirstOrThrow();
  const rows = await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .where('status', '=', 'completed')
    .returning(['id', 'kind', 'started_at', 'ended_at', 'idempotency_key'])
    .execute();
  const used = rows.flatMap(({ kind, started_at, ended_at }) => {
    const isCounted = kind === 'avatar' && started_at !== null && ended_at !== null;
    if (!isCounted || ended_at <= started_at || ended_at < now - COUNTED_MS) return [];
    return [{ account_id: accountId, started_at, ended_at }];
  });
  if (used.length > 0) await trx.insertInto('deleted_usage').values(used).execute();
  const keys = rows.flatMap(({ idempotency_key: key }) => key ?? []);
  return addErased(
    {
      sessions: rows.filter(({ kind }) => kind === 'avatar').length,
      timelines: Number(timelines.numDeletedRows),
    },
    addErased(
      await eraseReplies(trx, accountId, keys),
      await eraseEvents(
        trx,
        accountId,
        rows.map(({ id }) => id),
      ),
    ),
  );
}

/** Completed calls of the account, with their sessions. */
export async function eraseCalls(
  trx: Transaction,
  accountId: string,
  ids: readonly string[],
  now: number,
): Promise<Erased> {
  if (ids.length === 0) return {};
  const messages = await eraseWords(trx, ids);
  const sessions = await trx
    .selectFrom('sessions')
    .select('id')
    .where('call_id', 'in', ids)
    .execute();
  const erased = await eraseSessions(
    trx,
    accountId,
    sessions.map(({ id }) => id),
    now,
  );
  const { numDeletedRows } = await trx
    .deleteFrom('calls')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .where('status', '=', 'completed')
    .executeTakeFirstOrThrow();
  return addErased(
    addErased(erased, { messages, calls: Number(numDeletedRows) }),
    await eraseEvents(trx, accountId, ids),
  );
}

/** Transcripts of calls, which stay, and the comments on them. */
export async function eraseWords(trx: Transaction, callIds: readonly string[]): Promise<number> {
  if (callIds.length === 0) return 0;
  await trx
    .updateTable('calls')
    .set({ rating_comment_sealed: null })
    .where('id', 'in', callIds)
    .where('rating_comment_sealed', 'is not', null)
    .execute();
  const { numDeletedRows } = await trx
    .deleteFrom('call_messages')
    .where('call_id', 'in', callIds)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Events about these subjects, delivered or not. Deliveries are deleted with their event. */
async function eraseEvents(
  trx: Transaction,
  accountId: string,
  subjects: readonly string[],
): Promise<Erased> {
  if (subjects.length === 0) return {};
  const { numDeletedRows } = await trx
    .deleteFrom('events')
    .where('id', 'in', (events) =>
      events
        .selectFrom('deliveries')
        .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
        .select('event_id')
        .where('webhooks.account_id', '=', accountId)
        .where('subject', 'in', subjects),
    )
    .executeTakeFirstOrThrow();
  return { events: Number(numDeletedRows) };
}

/** Replies under these idempotency keys. */
async function eraseReplies(
  trx: Transaction,
  accountId: string,
  keys: readonly string[],
): Promise<Erased> {
  if (keys.length === 0) return {};
  const { numDeletedRows } = await trx
    .deleteFrom('replies')
    .where('account_id', '=', accountId)
    .where('idempotency_key', 'in', keys)
    .executeTakeFirstOrThrow();
  return { idempotent_replies: Number(numDeletedRows) };
}

/** Needs no index: few calls and sessions of one account are live. */
export const isOver = sql<boolean>`status = 'completed'`;
