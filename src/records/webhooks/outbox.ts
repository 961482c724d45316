import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { isoTime } from '#shared/iso-time.ts';
import type { Database, Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { Lists } from '../engine/pages.ts';
import { prepare, type Value } from '../engine/prepared.ts';
import { webhookColumns } from '../engine/tables/webhook-columns.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

/** An event for an account's webhooks, built by `events/events.ts`. */
export type OutgoingEvent = {
  accountId: string;
  /** Events of one subject (a call, session or avatar) are delivered in order. Null: unordered. */
  subject: string | null;
  type: string;
  data: Record<string, unknown>;
  /** Top-level fields that existing receivers read. */
  extra?: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  at: number;
};

export type Outbox = {
  /**
   * Whether an enabled webhook subscribes to this type. Lets callers skip building unwanted events.
   */
  isWanted(trx: Transaction, accountId: string, type: string): Promise<boolean>;
  /** Writes the event in the transaction of the change that it reports. */
  add(trx: Transaction, event: OutgoingEvent): Promise<void>;
  /** Writes an event that reports no change of the records. */
  publish(event: OutgoingEvent): Promise<void>;
};

export type OutboxParts = {
  database: Database;
  encryptor: Encryptor;
  lists: Lists;
  clock: Pick<Clock, 'now'>;
  /** Called before the commit with the webhooks that get the event; senders must wait a moment. */
  onQueued: (webhookIds: string[]) => void;
};

export function createOutbox({ database, encryptor, lists, clock, onQueued }: OutboxParts): Outbox {
  const enabledOf = prepare((value: Value<{ account_id: string }>) =>
    database
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('account_id', '=', value('account_id'))
      .where('status', '=', 'enabled'),
  );
  // Many sessions of one account may change in one transaction: query its webhooks once.
  const cache = new WeakMap<Transaction, Map<string, ReturnType<typeof enabledOf>>>();
  const enabledIn = (trx: Transaction, accountId: string) => {
    const byAccount = cache.get(trx) ?? new Map<string, ReturnType<typeof enabledOf>>();
    cache.set(trx, byAccount);
    const enabled = byAccount.get(accountId) ?? enabledOf(trx, { account_id: accountId });
    byAccount.set(accountId, enabled);
    return enabled;
  };
  const subscribersOf = async (trx: Transaction, accountId: string, type: string) => {
    const { rows } = await enabledIn(trx, accountId);
    const { decode } = webhookColumns.events.codec;
    return rows.filter(({ events }) => decode(events).includes(type)).map(({ id }) => id);
  };
  const add = async (trx: Transaction, event: OutgoingEvent) => {
    const webhookIds = await subscribersOf(trx, event.accountId, event.type);
    if (webhookIds.length === 0) return;
    await addDeliveries(trx, encryptor, lists, event, webhookIds, clock.now());
    onQueued(webhookIds);
  };
  return {
    isWanted: async (...event) => (await subscribersOf(...event)).length > 0,
    add,
    publish: (event) => database.transaction().execute((trx) => add(trx, event)),
  };
}

/** Writes the event and one delivery per webhook. Returns the delivery ids. */
export async function addDeliveries(
  trx: Transaction,
  encryptor: Encryptor,
  lists: Lists,
  { accountId, subject, type, data, extra, at }: OutgoingEvent,
  webhookIds: string[],
  now: number,
): Promise<string[]> {
  const eventId = newRecordId();
  const payload = JSON.stringify({ type, timestamp: isoTime(at), data, ...extra });
  await trx
    .insertInto('events')
    .values({
      id: eventId,
      account_id: accountId,
      type,
      payload: encryptor.encrypt(payload, placeOf('events', 'payload', eventId)),
      created_at: now,
    })
    .execute();
  const rows = webhookIds.map((webhookId) => ({
    id: newRecordId(),
    webhook_id: webhookId,
    event_id: eventId,
    subject: subject ?? eventId,
    status: 'pending' as const,
    attempts: 0,
    due_at: now,
    answer_status: null,
    error: null,
    delivered_at: null,
    created_at: now,
    listed_at: lists.next(now),
  }));
  await trx.insertInto('deliveries').values(rows).execute();
  return rows.map(({ id }) => id);
}
