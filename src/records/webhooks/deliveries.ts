import type { Selectable } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import type { DeliveriesTable } from '../engine/tables/tables.ts';
import { deliveryColumns } from '../engine/tables/webhook-columns.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { addDeliveries, type OutgoingEvent } from './outbox.ts';
import { placeOf } from '../keys/encrypted-columns.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';

/** `type`: of the event. */
export type DeliveryRecord = RecordOf<typeof deliveryColumns> & { type: string };

interface DeliveryRecords {
  /** Queues an event for one webhook, whatever types it subscribes to. */
  add(webhookId: string, event: OutgoingEvent, now: number): Promise<DeliveryRecord>;
  find(webhookId: string, id: string): Promise<DeliveryRecord | null>;
  /** With the body that is sent. */
  findWithBody(webhookId: string, id: string): Promise<(DeliveryRecord & { body: string }) | null>;
  page(webhookId: string, request: DeliveryPageRequest): Promise<Page<DeliveryRecord>>;
  /**
   * Makes the delivery, and earlier ones of its subject, due now. Null if there is no such
   * delivery.
   */
  again(webhookId: string, id: string, now: number): Promise<DeliveryRecord | null>;
}

type DeliveryPageRequest = PageRequest & { status?: DeliveryRecord['status'] | undefined };

export function deliveryRecords(db: Database, encryptor: Encryptor, lists: Lists): DeliveryRecords {
  const ofWebhook = (webhookId: string) =>
    db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .selectAll('deliveries')
      .select('events.type')
      .where('webhook_id', '=', webhookId);

  async function find(webhookId: string, id: string): Promise<DeliveryRecord | null> {
    const row = await ofWebhook(webhookId).where('deliveries.id', '=', id).executeTakeFirst();
    return row ? toRecord(row) : null;
  }

  return {
    find,

    async findWithBody(webhookId, id) {
      const row = await ofWebhook(webhookId)
        .select('events.payload')
        .where('deliveries.id', '=', id)
        .executeTakeFirst();
      if (!row) return null;
      const body = encryptor.readText(row.payload, placeOf('events', 'payload', row.event_id));
      return { ...toRecord(row), body };
    },

    async add(webhookId, event, now) {
      const [id = ''] = await db
        .transaction()
        .execute((trx) => addDeliveries(trx, encryptor, lists, event, [webhookId], now));
      const delivery = await find(webhookId, id);
      if (!delivery) throw new Error('new delivery not found');
      return delivery;
    },

    async page(webhookId, { status, ...request }) {
      const { data, nextCursor } = await lists.page(
        `deliveries/${webhookId}`,
        request,
        (position, count) => {
          const rows = db
            .selectFrom(ofWebhook(webhookId).as('found'))
            .selectAll()
            .where(isAfter(position))
            .orderBy(newestFirst)
            .limit(count);
          return (status ? rows.where('status', '=', status) : rows).execute();
        },
      );
      return { data: data.map(toRecord), nextCursor };
    },

    async again(webhookId, id, now) {
      return db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('deliveries')
          .set({ status: 'pending', attempts: 0, due_at: now, delivered_at: null })
          .where('webhook_id', '=', webhookId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        await trx
          .updateTable('deliveries')
          .set({ due_at: now })
          .where('webhook_id', '=', webhookId)
          .where('subject', '=', row.subject)
          .where('status', '=', 'pending')
          .where('listed_at', '<', row.listed_at)
          .execute();
        const { type } = await trx
          .selectFrom('events')
          .select('type')
          .where('id', '=', row.event_id)
          .executeTakeFirstOrThrow();
        return toRecord({ ...row, type });
      });
    },
  };
}

const deliveryRows = recordRows(deliveryColumns);

const toRecord = (row: Selectable<DeliveriesTable> & { type: string }): DeliveryRecord => ({
  ...deliveryRows.toRecord(row),
  type: row.type,
});
