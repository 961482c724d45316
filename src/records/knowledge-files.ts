import type { Selectable } from 'kysely';
import { Fault } from '../errors.ts';
import type { Database, KnowledgeFilesTable, Transaction } from './engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from './engine/pages.ts';
import { MAX_NAMED_AGENTS, refuseIfUsed, transactReferences } from './engine/references.ts';

export type KnowledgeFormat = 'text' | 'pdf';

export type KnowledgeFile = {
  id: string;
  accountId: string;
  name: string;
  format: KnowledgeFormat;
  status: 'to-upload' | 'available';
  createdAt: number;
};

/** `uploadId` is another one for each upload: it says whether a chunk was replaced. */
export type Chunk = { number: number; uploadId: string; size: number };

export type ChunkToKeep = { number: number; uploadId: string; bytes: Uint8Array };

export interface KnowledgeFileRecords {
  /** With its text, when there is nothing to upload. */
  insert(file: KnowledgeFile, content: string | null): Promise<void>;
  find(accountId: string, id: string): Promise<KnowledgeFile | null>;
  /** With its text, which may be long; null until it is available. */
  read(accountId: string, id: string): Promise<(KnowledgeFile & { content: string | null }) | null>;
  /** Those of these that are available, in no order. What is available never changes. */
  available(accountId: string, ids: string[]): Promise<KnowledgeFile[]>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<KnowledgeFile>>;
  /** False when there is none; throws a `conflict` fault while an agent refers to it. */
  delete(accountId: string, id: string): Promise<boolean>;

  /**
   * Puts the chunk in the place of an earlier one with its number. Throws `not_found`, `conflict` for a file that is available already, and
   * `too_large` when all chunks together would have more than `maxBytes`.
   */
  keepChunk(accountId: string, id: string, chunk: ChunkToKeep, maxBytes: number): Promise<void>;
  /** In the order of their numbers. */
  chunks(id: string): Promise<Chunk[]>;
  /** Null when it was replaced or deleted. */
  readChunk(id: string, uploadId: string): Promise<Uint8Array | null>;
  /** Makes the file available and deletes its chunks. False when they are not these any more, or the file is not waiting for them. */
  finish(id: string, chunks: Chunk[], content: string): Promise<boolean>;
}

export function knowledgeFileRecords(db: Database, lists: Lists): KnowledgeFileRecords {
  const ofAccount = (accountId: string) =>
    db
      .selectFrom('knowledge_files')
      .select(['id', 'account_id', 'name', 'format', 'status', 'created_at', 'listed_at'])
      .where('account_id', '=', accountId);

  return {
    async insert(file, content) {
      await db
        .insertInto('knowledge_files')
        .values({
          id: file.id,
          account_id: file.accountId,
          name: file.name,
          format: file.format,
          status: file.status,
          content,
          created_at: file.createdAt,
          listed_at: lists.next(file.createdAt),
        })
        .execute();
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },

    async read(accountId, id) {
      const row = await ofAccount(accountId)
        .select('content')
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? { ...toRecord(row), content: row.content } : null;
    },

    async available(accountId, ids) {
      if (ids.length === 0) return [];
      const rows = ofAccount(accountId).where('id', 'in', ids).where('status', '=', 'available');
      return (await rows.execute()).map(toRecord);
    },

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `knowledge_files/${accountId}`,
        request,
        (after, count) =>
          ofAccount(accountId).where(isAfter(after)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(toRecord), nextCursor };
    },

    async delete(accountId, id) {
      return transactReferences(db, async (trx) => {
        refuseIfUsed(
          await trx
            .selectFrom('agents')
            .innerJoin('agent_knowledge_files', 'agent_knowledge_files.agent_id', 'agents.id')
            .select('agents.id')
            .where('agents.account_id', '=', accountId)
            .where('agent_knowledge_files.file_id', '=', id)
            .limit(MAX_NAMED_AGENTS)
            .execute(),
        );
        const { numDeletedRows } = await trx
          .deleteFrom('knowledge_files')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      });
    },

    async keepChunk(accountId, id, { number, uploadId, bytes }, maxBytes) {
      await db.transaction().execute(async (trx) => {
        const status = await lock(trx, id, accountId);
        if (status === null) throw new Fault('not_found');
        if (status === 'available') {
          const detail = 'This file is available already. Create another one for other content.';
          throw new Fault('conflict', { detail });
        }
        const others = await trx
          .selectFrom('knowledge_chunks')
          .select((select) => select.fn.sum('size').as('size'))
          .where('file_id', '=', id)
          .where('number', '<>', number)
          .executeTakeFirst();
        if (Number(others?.size ?? 0) + bytes.length > maxBytes) {
          const detail = `A file has ${maxBytes / 1024 ** 2} MiB at most, all its chunks together.`;
          throw new Fault('too_large', { detail });
        }
        const kept = { upload_id: uploadId, size: bytes.length, bytes };
        await trx
          .insertInto('knowledge_chunks')
          .values({ file_id: id, number, ...kept })
          .onConflict((conflict) => conflict.columns(['file_id', 'number']).doUpdateSet(kept))
          .execute();
      });
    },

    chunks: (id) => chunksOf(db, id),

    async readChunk(id, uploadId) {
      const row = await db
        .selectFrom('knowledge_chunks')
        .select('bytes')
        .where('file_id', '=', id)
        .where('upload_id', '=', uploadId)
        .executeTakeFirst();
      return row?.bytes ?? null;
    },

    async finish(id, chunks, content) {
      return db.transaction().execute(async (trx) => {
        if ((await lock(trx, id)) !== 'to-upload') return false;
        if (!areSame(await chunksOf(trx, id), chunks)) return false;
        await trx
          .updateTable('knowledge_files')
          .set({ status: 'available', content })
          .where('id', '=', id)
          .execute();
        await trx.deleteFrom('knowledge_chunks').where('file_id', '=', id).execute();
        return true;
      });
    },
  };
}

/** Chunks come and go under the lock of their file: until the transaction ends nobody else adds one. Its status, or null when there is none. */
async function lock(trx: Transaction, id: string, accountId?: string) {
  let locking = trx
    .updateTable('knowledge_files')
    .set((set) => ({ status: set.ref('status') }))
    .where('id', '=', id);
  if (accountId !== undefined) locking = locking.where('account_id', '=', accountId);
  const row = await locking.returning('status').executeTakeFirst();
  return row?.status ?? null;
}

async function chunksOf(db: Database | Transaction, fileId: string): Promise<Chunk[]> {
  const rows = await db
    .selectFrom('knowledge_chunks')
    .select(['number', 'upload_id', 'size'])
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute();
  return rows.map(({ number, upload_id, size }) => ({ number, uploadId: upload_id, size }));
}

const areSame = (some: Chunk[], others: Chunk[]): boolean =>
  some.length === others.length &&
  some.every(({ uploadId }, at) => uploadId === others[at]?.uploadId);

const toRecord = (row: Omit<Selectable<KnowledgeFilesTable>, 'content'>): KnowledgeFile => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  format: row.format,
  status: row.status,
  createdAt: row.created_at,
});
