import type { Selectable } from 'kysely';
import { countInTurn } from '../engine/account-limits.ts';
import type { Database } from '../engine/database.ts';
import type { WebhooksTable } from '../engine/tables/tables.ts';
import { readTypes } from './outbox.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { transact } from '../engine/transact.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

/** By request; after a 410 answer; or because no attempt succeeded for a day. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export type WebhookRecord = {
  id: string;
  accountId: string;
  url: string;
  events: string[];
  description: string;
  /** Signs the deliveries. Encrypted at rest. */
  secret: string;
  /** Deliveries are also signed with the secret before it until then; null: there was none. */
  formerSecretUntil: number | null;
  status: 'enabled' | 'disabled';
  disabledReason: DisabledReason | null;
  createdAt: number;
};

type WebhookChanges = Partial<Pick<WebhookRecord, 'url' | 'events' | 'description' | 'status'>>;

type Rotation = Pick<WebhookRecord, 'secret' | 'formerSecretUntil'>;

export interface WebhookRecords {
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
  const read = (row: Selectable<WebhooksTable>) => toRecord(row, encryptor);
  const ofAccount = (accountId: string) =>
    db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId);

  return {
    async insert(record, max) {
      const row = toRow(record, encryptor);
      return transact(db, async (trx) => {
        if ((await countInTurn(trx, 'webhooks', record.accountId)) >= max) return false;
        await trx
          .insertInto('webhooks')
          .values({ ...row, listed_at: lists.next(record.createdAt) })
          .execute();
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

    async update(accountId, id, changes, now) {
      return transact(db, async (trx) => {
        const formerRow = await trx
          .selectFrom('webhooks')
          .select(['status', 'url'])
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst();
        if (!formerRow) return null;
        const isEnabledAgain = formerRow.status === 'disabled' && changes.status === 'enabled';
        const hasNewUrl = changes.url !== undefined && changes.url !== formerRow.url;
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
            ...toChangedColumns(changes),
            ...(changes.status !== formerRow.status && toStatusColumns(changes.status)),
            ...(resetsAttempts && { failing_since: null }),
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
        const former =
          formerSecretUntil === null
            ? null
            : encryptor.encrypt(read(formerRow).secret, formerPlaceIn(id));
        const row = await trx
          .updateTable('webhooks')
          .set({
            former_secret_sealed: former,
            secret_sealed: encryptor.encrypt(secret, placeIn(id)),
          })
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

const placeIn = (id: string): string => placeOf('webhooks', 'secret_sealed', id);
const formerPlaceIn = (id: string): string => placeOf('webhooks', 'former_secret_sealed', id);

const toChangedColumns = ({ url, events, description }: WebhookChanges) => ({
  ...(url !== undefined && { url }),
  ...(events && { events: JSON.stringify(events) }),
  ...(description !== undefined && { description }),
});

const toStatusColumns = (status: WebhookRecord['status'] | undefined) =>
  status && {
    status,
    disabled_reason: status === 'disabled' ? ('requested' satisfies DisabledReason) : null,
  };

const toRow = (record: WebhookRecord, encryptor: Encryptor) => ({
  id: record.id,
  account_id: record.accountId,
  url: record.url,
  events: JSON.stringify(record.events),
  description: record.description,
  secret_sealed: encryptor.encrypt(record.secret, placeIn(record.id)),
  status: record.status,
  disabled_reason: record.disabledReason,
  failing_since: null,
  created_at: record.createdAt,
});

const toRecord = (row: Selectable<WebhooksTable>, encryptor: Encryptor): WebhookRecord => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  events: readTypes(row.events),
  description: row.description,
  secret: encryptor.decrypt(row.secret_sealed, placeIn(row.id)),
  formerSecretUntil: row.former_secret_until,
  status: row.status,
  disabledReason: row.disabled_reason as DisabledReason | null,
  createdAt: row.created_at,
});
