import { countInTurn } from '../engine/account-limits.ts';
import type { Database } from '../engine/database.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { webhookColumns } from '../engine/tables/webhook-columns.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { transact } from '../engine/transact.ts';

export type WebhookRecord = RecordOf<typeof webhookColumns>;

type WebhookChanges = Partial<Pick<WebhookRecord, 'url' | 'events' | 'description' | 'status'>>;

type Rotation = Pick<WebhookRecord, 'secret' | 'formerSecretUntil'>;

interface WebhookRecords {
  /** False if the account already has `max` webhooks. */
  insert(record: WebhookRecord, max: number): Promise<boolean>;
  find(accountId: string, id: string): Promise<WebhookRecord | null>;
  page(accountId: string, request: PageRequest): Promise<Page<WebhookRecord>>;
  /** Enabling a webhook or changing its url resets the attempts of pending deliveries. */
  update(
    accountId: string,
    id: string,
    changes: WebhookChanges,
    now: number,
  ): Promise<WebhookRecord | null>;
  /** The former secret is dropped if it has no time left. */
  rotateSecret(accountId: string, id: string, rotation: Rotation): Promise<WebhookRecord | null>;
  /** Deletes its deliveries too. False if there is no such webhook. */
  remove(accountId: string, id: string): Promise<boolean>;
}

export function webhookRecords(db: Database, encryptor: Encryptor, lists: Lists): WebhookRecords {
  const { toRecord: read, toRow, toColumns } = webhookRows(encryptor);
  const ofAccount = (accountId: string) =>
    db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId);

  return {
    async insert(record, max) {
      const row = { ...toRow(record), listed_at: lists.next(record.createdAt) };
      return transact(db, async (trx) => {
        if ((await countInTurn(trx, 'webhooks', record.accountId)) >= max) return false;
        await trx.insertInto('webhooks').values(row).execute();
        return true;
      });
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? read(row) : null;
    },

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `webhooks/${accountId}`,
        request,
        (position, count) =>
          ofAccount(accountId).where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(read), nextCursor };
    },

    async update(accountId, id, { url, events, description, status }, now) {
      return transact(db, async (trx) => {
        const formerRow = await trx
          .selectFrom('webhooks')
          .select(['status', 'url'])
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst();
        if (!formerRow) return null;
        const isEnabledAgain = formerRow.status === 'disabled' && status === 'enabled';
        const hasNewUrl = url !== undefined && url !== formerRow.url;
        const resetsAttempts = isEnabledAgain || hasNewUrl;
        if (resetsAttempts) {
          await trx
            .updateTable('deliveries')
            .set({ attempts: 0, due_at: now })
            .where('webhook_id', '=', id)
            .where('status', '=', 'pending')
            .execute();
        }
        const row = await trx
          .updateTable('webhooks')
          .set({
            id,
            ...toColumns(id, {
              url,
              events,
              description,
              ...(status && status !== formerRow.status && statusFields(status)),
              ...(resetsAttempts && { failingSince: null }),
            }),
          })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row ? read(row) : null;
      });
    },

    async rotateSecret(accountId, id, { secret, formerSecretUntil }) {
      return transact(db, async (trx) => {
        // Locks the row: of two rotations, the second keeps the secret of the first.
        const formerRow = await trx
          .updateTable('webhooks')
          .set({ former_secret_until: formerSecretUntil })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!formerRow) return null;
        const formerSecret = formerSecretUntil === null ? null : read(formerRow).secret;
        const row = await trx
          .updateTable('webhooks')
          .set(toColumns(id, { secret, formerSecret }))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return read(row);
      });
    },

    async remove(accountId, id) {
      return transact(db, async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('webhooks')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return false;
        // Nothing else leads to events that no other webhook gets.
        await trx
          .deleteFrom('events')
          .where('id', 'in', (events) =>
            events.selectFrom('deliveries').select('event_id').where('webhook_id', '=', id),
          )
          .where((event) =>
            event.not(
              event.exists(
                event
                  .selectFrom('deliveries')
                  .select('deliveries.id')
                  .whereRef('event_id', '=', 'events.id')
                  .where('webhook_id', '<>', id),
              ),
            ),
          )
          .execute();
        await trx.deleteFrom('deliveries').where('webhook_id', '=', id).execute();
        return true;
      });
    },
  };
}

export const webhookRows = (encryptor: Encryptor) =>
  recordRows(webhookColumns, { table: 'webhooks', encryptor });

const statusFields = (status: WebhookRecord['status']) => ({
  status,
  disabledReason: status === 'disabled' ? ('requested' as const) : null,
});
