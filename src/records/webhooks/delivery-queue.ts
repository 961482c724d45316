/*
 * The queue of webhook deliveries, shared by all control planes. A claim moves `due_at` past the
 * longest attempt: no other control plane takes the delivery, and it is due again if the claimant
 * dies. `events/retries.ts` decides the outcome of an attempt.
 */
import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { DisabledReason } from '../engine/tables/webhook-columns.ts';
import { placeOf } from '../keys/encrypted-columns.ts';
import { webhookRows } from './webhooks.ts';

/** A webhook's address, and the secrets that sign its deliveries. */
export type Receiver = { url: string; secrets: string[]; failingSince: number | null };

export type DueDelivery = {
  id: string;
  webhookId: string;
  eventId: string;
  attempts: number;
  dueAt: number;
  /** Event as JSON. */
  payload: string;
};

/**
 * `answerStatus` is null if the receiver did not answer; `disable` says why to disable the webhook.
 */
type Failure = { answerStatus: number | null; error: string; disable: DisabledReason | null };

/** The state of a delivery after an attempt. */
export type Outcome =
  | { status: 'delivered'; answerStatus: number }
  | ({ status: 'pending'; dueAt: number } & Failure)
  | ({ status: 'failed' } & Failure);

export interface DeliveryQueue {
  /** Ids of the enabled webhooks with a due delivery. */
  waiting(now: number): Promise<string[]>;
  /** Null if the webhook is deleted or disabled. */
  receiver(webhookId: string, now: number): Promise<Receiver | null>;
  /**
   * Up to `count`, longest due first. Skips deliveries that wait for an earlier one of their
   * subject.
   */
  due(webhookId: string, now: number, count: number): Promise<DueDelivery[]>;
  /** Returns the claimed delivery; null if another control plane claimed it first. */
  claim(delivery: DueDelivery, until: number): Promise<DueDelivery | null>;
  /** Records the outcome of an attempt. Returns why it disabled the webhook; null if it did not. */
  settle(claimed: DueDelivery, outcome: Outcome, now: number): Promise<DisabledReason | null>;
  /** Returns a claim without an attempt. */
  release(claimed: DueDelivery, now: number): Promise<void>;
}

export function deliveryQueue(db: Database, encryptor: Encryptor): DeliveryQueue {
  const { toRecord: readWebhook } = webhookRows(encryptor);
  return {
    async waiting(now) {
      const rows = await db
        .selectFrom('webhooks')
        .select('id')
        .where('status', '=', 'enabled')
        .where((where) =>
          where.exists(
            where
              .selectFrom('deliveries')
              .select(sql`1`.as('one'))
              .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
              .where('deliveries.status', '=', 'pending')
              .where('deliveries.due_at', '<=', now),
          ),
        )
        .execute();
      return rows.map(({ id }) => id);
    },

    async receiver(webhookId, now) {
      const row = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', webhookId)
        .where('status', '=', 'enabled')
        .executeTakeFirst();
      if (!row) return null;
      const webhook = readWebhook(row);
      const { url, failingSince } = webhook;
      const formerSecret = (webhook.formerSecretUntil ?? 0) > now ? webhook.formerSecret : null;
      const secrets = [webhook.secret, ...(formerSecret === null ? [] : [formerSecret])];
      return { url, secrets, failingSince };
    },

    async due(webhookId, now, count) {
      const rows = await db
        .selectFrom('deliveries as later')
        .innerJoin('events', 'events.id', 'later.event_id')
        .select(['later.id', 'later.event_id', 'later.attempts', 'later.due_at'])
        .select('events.payload')
        .where('later.webhook_id', '=', webhookId)
        .where('later.status', '=', 'pending')
        .where('later.due_at', '<=', now)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('deliveries as earlier')
                .select(sql`1`.as('one'))
                .where('earlier.webhook_id', '=', webhookId)
                .whereRef('earlier.subject', '=', 'later.subject')
                .where('earlier.status', '=', 'pending')
                .whereRef('earlier.listed_at', '<', 'later.listed_at'),
            ),
          ),
        )
        .orderBy('later.due_at')
        .orderBy('later.listed_at')
        .limit(count)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        webhookId,
        eventId: row.event_id,
        attempts: row.attempts,
        dueAt: row.due_at,
        payload: encryptor.readText(row.payload, placeOf('events', 'payload', row.event_id)),
      }));
    },

    async claim(delivery, until) {
      const { numUpdatedRows } = await asFound(db, delivery)
        .set({ due_at: until })
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 0n ? null : { ...delivery, dueAt: until };
    },

    async settle(claimed, outcome, now) {
      // A success counts even if the claim has expired and another control plane holds it.
      const row = outcome.status === 'delivered' ? stillPending(db, claimed) : asFound(db, claimed);
      const { numUpdatedRows } = await row
        .set((row) => ({
          status: outcome.status,
          attempts: row('attempts', '+', 1),
          due_at: outcome.status === 'pending' ? outcome.dueAt : now,
          answer_status: outcome.answerStatus,
          error: outcome.status === 'delivered' ? null : outcome.error,
          delivered_at: outcome.status === 'delivered' ? now : null,
        }))
        .executeTakeFirstOrThrow();
      // Another control plane has the claim or the outcome: this failure says nothing about it.
      if (numUpdatedRows === 0n && outcome.status !== 'delivered') return null;
      return recordHealth(db, claimed.webhookId, outcome, now);
    },

    async release(claimed, now) {
      await asFound(db, claimed).set({ due_at: now }).execute();
    },
  };
}

const stillPending = (db: Database, { id }: DueDelivery) =>
  db.updateTable('deliveries').where('id', '=', id).where('status', '=', 'pending');

/** Matches only if the row has not changed since it was read. */
const asFound = (db: Database, delivery: DueDelivery) =>
  stillPending(db, delivery).where('due_at', '=', delivery.dueAt);

async function recordHealth(
  db: Database,
  webhookId: string,
  outcome: Outcome,
  now: number,
): Promise<DisabledReason | null> {
  const webhook = db.updateTable('webhooks').where('id', '=', webhookId);
  if (outcome.status === 'delivered') {
    await webhook.set({ failing_since: null }).where('failing_since', 'is not', null).execute();
    return null;
  }
  await webhook.set({ failing_since: now }).where('failing_since', 'is', null).execute();
  const { disable } = outcome;
  if (!disable) return null;
  const { numUpdatedRows } = await webhook
    .set({ status: 'disabled', disabled_reason: disable })
    .where('status', '=', 'enabled')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? disable : null;
}
