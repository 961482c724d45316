import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { isoTime } from '#shared/iso-time.ts';
import type { Database, Transaction } from './engine/database.ts';
import type { Lists } from './engine/pages.ts';
import { prepare, type Value } from './engine/prepared.ts';

/** What is told to an account's webhooks. `events/events.ts` makes them. */
export type OutgoingEvent = {
  accountId: string;
  /** The call or session that it is about: within one, events are delivered in order. Null: it stands by itself. */
  subject: string | null;
  type: string;
  data: Record<string, unknown>;
  /** Fields beside `data`, which existing receivers read. */
  extra?: Record<string, unknown>;
  /** When it happened, in milliseconds since the epoch. */
  at: number;
};

export type Outbox = {
  /** Whether a webhook of the account gets events of this type: for whoever would make many that nobody gets. */
  isWanted(trx: Transaction, accountId: string, type: string): Promise<boolean>;
  /** Writes the event with the change that it tells of: both are there after the commit, or neither. */
  tell(trx: Transaction, event: OutgoingEvent): Promise<void>;
};

export type OutboxParts = {
  database: Database;
  lists: Lists;
  clock: Pick<Clock, 'now'>;
  /** Which webhooks have something to get. It is called before the commit: whoever sends looks a moment later. */
  onTold: (webhookIds: string[]) => void;
};

export function createOutbox({ database, lists, clock, onTold }: OutboxParts): Outbox {
  const enabledOf = prepare((value: Value<{ account_id: string }>) =>
    database
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('account_id', '=', value('account_id'))
      .where('status', '=', 'enabled'),
  );
  // Many sessions of one account change in one transaction: it is asked once.
  const asked = new WeakMap<Transaction, Map<string, ReturnType<typeof enabledOf>>>();
  const enabledIn = (trx: Transaction, accountId: string) => {
    const known = asked.get(trx) ?? new Map<string, ReturnType<typeof enabledOf>>();
    asked.set(trx, known);
    const enabled = known.get(accountId) ?? enabledOf(trx, { account_id: accountId });
    known.set(accountId, enabled);
    return enabled;
  };
  const wantingOf = async (trx: Transaction, accountId: string, type: string) => {
    const { rows } = await enabledIn(trx, accountId);
    return rows.filter(({ events }) => readTypes(events).includes(type)).map(({ id }) => id);
  };
  return {
    isWanted: async (...event) => (await wantingOf(...event)).length > 0,

    async tell(trx, event) {
      const wanting = await wantingOf(trx, event.accountId, event.type);
      if (wanting.length === 0) return;
      await addDeliveries(trx, lists, event, wanting, clock.now());
      onTold(wanting);
    },
  };
}

/** Writes the event and a delivery of it for each of these webhooks. Answers the deliveries' ids. */
export async function addDeliveries(
  trx: Transaction,
  lists: Lists,
  { accountId, subject, type, data, extra, at }: OutgoingEvent,
  webhookIds: string[],
  now: number,
): Promise<string[]> {
  const eventId = newRecordId();
  const payload = JSON.stringify({ type, timestamp: isoTime(at), data, ...extra });
  await trx
    .insertInto('events')
    .values({ id: eventId, account_id: accountId, type, payload, created_at: now })
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

/** The types of event that a webhook wants, as its row holds them. */
export const readTypes = (events: string): string[] => JSON.parse(events) as string[];
