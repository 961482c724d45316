import { checkCountInTurn, NO_LIMITS, type StorageLimits } from '../engine/account-limits.ts';
import type { Database } from '../engine/database.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { externalApiColumns, keyedApiColumns } from '../engine/tables/external-api-columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import { MAX_NAMED_AGENTS, refuseIfUsed, transactReferences } from '../engine/references.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { transact } from '../engine/transact.ts';

/** A service that agents use. Its key is encrypted at rest and read only by `credentials`. */
export type ExternalApi = RecordOf<typeof externalApiColumns>;

type KeyedApi = RecordOf<typeof keyedApiColumns>;

export type ExternalApiCredentials = Pick<KeyedApi, 'type' | 'url' | 'apiKey'>;

type ExternalApiChange = Partial<Pick<KeyedApi, 'name' | 'url' | 'apiKey'>>;

export interface ExternalApiRecords {
  /** Throws `conflict` beyond the limits of the account. */
  insert(api: KeyedApi, limits?: StorageLimits): Promise<void>;
  find(accountId: string, id: string): Promise<ExternalApi | null>;
  /** Includes the key, for calling the API. */
  credentials(accountId: string, id: string): Promise<ExternalApiCredentials | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<ExternalApi>>;
  /** False if there is no such API. */
  update(accountId: string, id: string, change: ExternalApiChange): Promise<boolean>;
  /** False if there is no such API. Throws `conflict` while an agent uses it. */
  delete(accountId: string, id: string): Promise<boolean>;
}

export function externalApiRecords(
  db: Database,
  encryptor: Encryptor,
  lists: Lists,
): ExternalApiRecords {
  const { toRecord } = recordRows(externalApiColumns);
  const keyedRows = recordRows(keyedApiColumns, { table: 'external_apis', encryptor });
  const ofAccount = (accountId: string) =>
    db.selectFrom('external_apis').selectAll().where('account_id', '=', accountId);

  return {
    async insert(api, { externalApis: most } = NO_LIMITS) {
      const row = { ...keyedRows.toRow(api), listed_at: lists.next(api.createdAt) };
      await transact(db, async (trx) => {
        await checkCountInTurn(trx, 'external_apis', api.accountId, most, 'external API');
        await trx.insertInto('external_apis').values(row).execute();
      });
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },

    async credentials(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      if (!row) return null;
      const { type, url, apiKey } = keyedRows.toRecord(row);
      return { type, url, apiKey };
    },

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `external_apis/${accountId}`,
        request,
        (position, count) =>
          ofAccount(accountId).where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(toRecord), nextCursor };
    },

    async update(accountId, id, { name, url, apiKey }) {
      const { numUpdatedRows } = await db
        .updateTable('external_apis')
        // An update without columns is not valid SQL.
        .set({ account_id: accountId, ...keyedRows.toColumns(id, { name, url, apiKey }) })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async delete(accountId, id) {
      return transactReferences(db, async (trx) => {
        refuseIfUsed(
          await trx
            .selectFrom('agents')
            .select('id')
            .where('account_id', '=', accountId)
            .where((is) =>
              is.or([
                is('external_api_id', '=', id),
                is('stt_api_id', '=', id),
                is('tts_api_id', '=', id),
                is('embeddings_api_id', '=', id),
              ]),
            )
            .limit(MAX_NAMED_AGENTS)
            .execute(),
        );
        const { numDeletedRows } = await trx
          .deleteFrom('external_apis')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      });
    },
  };
}
