import { Fault } from '../../errors.ts';
import {
  checkBytes,
  checkCountInTurn,
  lockAccount,
  NO_LIMITS,
  type StorageLimits,
} from '../engine/account-limits.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { boundless, type DiskSpace } from '../engine/disk-space.ts';
import { columnsOf, type RecordOf } from '../engine/tables/columns.ts';
import {
  knowledgeFileColumns,
  knowledgeTextColumns,
} from '../engine/tables/knowledge-file-columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import { MAX_NAMED_AGENTS, refuseIfUsed, transactReferences } from '../engine/references.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { transact } from '../engine/transact.ts';
import { placeOf } from '../keys/encrypted-columns.ts';
import { knowledgeTexts, type StagedText, type StoredText } from './knowledge-texts.ts';

export type KnowledgeFile = RecordOf<typeof knowledgeFileColumns>;

/** `size`: bytes of its chunks, or of its text once it is available. */
type StoredFile = KnowledgeFile & { size: number };

/** `uploadId` is new for each upload, so a replaced chunk can be detected. */
export type Chunk = { number: number; uploadId: string; size: number };

type NewChunk = { number: number; uploadId: string; bytes: Uint8Array; at: number };

/** `fileBytes`: of all chunks of a file together. */
type ChunkLimits = { fileBytes: number; account: StorageLimits };

export interface KnowledgeFileRecords {
  /**
   * `content` is null for a file that is still to be uploaded. Throws `conflict` beyond the limits
   * of the account.
   */
  insert(file: KnowledgeFile, content: string | null, limits?: StorageLimits): Promise<void>;
  find(accountId: string, id: string): Promise<KnowledgeFile | null>;
  /** Returns the available ones, in any order. An available file never changes. */
  available(accountId: string, ids: string[]): Promise<StoredFile[]>;
  /** The text of an available file, for `piece`. Null if there is none. */
  textOf(accountId: string, id: string): Promise<StoredText | null>;
  /** A part of a text, counted from 0. Null behind the last one. */
  piece(textId: string, number: number): Promise<string | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<KnowledgeFile>>;
  /** False if there is no such file. Throws `conflict` while an agent refers to it. */
  delete(accountId: string, id: string): Promise<boolean>;

  /**
   * Replaces an earlier chunk of the same number. Throws `not_found`, `conflict` if the file is
   * available or beyond the limits of the account, and `too_large` beyond those of the file.
   */
  putChunk(accountId: string, id: string, chunk: NewChunk, limits: ChunkLimits): Promise<void>;
  /** Ordered by number. */
  chunks(id: string): Promise<Chunk[]>;
  /** Null if the chunk was replaced or deleted. */
  readChunk(id: string, uploadId: string): Promise<Uint8Array | null>;
  /**
   * Stores a text of at most `maxBytes` for `finish`. Throws like `parts`, and `conflict` if the
   * file was deleted.
   */
  stage(
    id: string,
    parts: Iterable<string> | AsyncIterable<string>,
    maxBytes: number,
  ): Promise<StagedText>;
  /** Deletes a staged text that no file refers to. */
  dropText(textId: string): Promise<void>;
  /**
   * Makes the file available and deletes its chunks. False if the chunks changed or the file is not
   * `to-upload`. Throws `conflict` if the text exceeds the limits of the account.
   */
  finish(
    accountId: string,
    id: string,
    chunks: Chunk[],
    text: StagedText,
    limits?: StorageLimits,
  ): Promise<boolean>;
}

/** Texts and chunks are encrypted at rest. */
export function knowledgeFileRecords(
  db: Database,
  encryptor: Encryptor,
  lists: Lists,
  space: DiskSpace = boundless,
): KnowledgeFileRecords {
  const { toRecord } = recordRows(knowledgeFileColumns);
  const textRows = recordRows(knowledgeTextColumns, { table: 'knowledge_files', encryptor });
  const texts = knowledgeTexts(db, encryptor);
  const ofAccount = (accountId: string) =>
    db
      .selectFrom('knowledge_files')
      .select([...columnsOf(knowledgeFileColumns), 'listed_at'])
      .where('account_id', '=', accountId);

  return {
    async insert(file, content, limits = NO_LIMITS) {
      const size = Buffer.byteLength(content ?? '');
      await space.holdRows(size, db, () =>
        transact(db, async (trx) => {
          const { accountId } = file;
          const { knowledgeFiles, bytes } = limits;
          if (bytes !== null) await lockAccount(trx, accountId);
          await checkCountInTurn(
            trx,
            'knowledge_files',
            accountId,
            knowledgeFiles,
            'knowledge file',
          );
          await checkBytes(trx, accountId, size, bytes);
          await trx
            .insertInto('knowledge_files')
            .values({
              ...textRows.toRow({ ...file, content }),
              size,
              listed_at: lists.next(file.createdAt),
            })
            .execute();
          if (content === null) return;
          const text = await knowledgeTexts(trx, encryptor).stage(file.id, [content]);
          await trx
            .updateTable('knowledge_files')
            .set({ text_id: text.id })
            .where('id', '=', file.id)
            .execute();
        }),
      );
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },

    async available(accountId, ids) {
      if (ids.length === 0) return [];
      const rows = await ofAccount(accountId)
        .select('size')
        .where('id', 'in', ids)
        .where('status', '=', 'available')
        .execute();
      return rows.map((row) => ({ ...toRecord(row), size: row.size }));
    },

    async textOf(accountId, id) {
      const stored = await ofAccount(accountId)
        .select(['content', 'text_id', 'size'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!stored) return null;
      const { content, text_id: textId, size } = stored;
      if (textId !== null) return { id: textId, size };
      if (content === null) return null;
      // An earlier version wrote this text and may still run, so `content` stays.
      const text = await texts.stage(id, [textRows.toRecord(stored).content ?? '']);
      const { numUpdatedRows } = await db
        .updateTable('knowledge_files')
        .set({ text_id: text.id })
        .where('id', '=', id)
        .where('text_id', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return text;
      // Another request did the same.
      await texts.drop(text.id);
      return this.textOf(accountId, id);
    },

    piece: (textId, number) => texts.piece(textId, number),

    stage: (id, parts, maxBytes) => space.holdRows(maxBytes, db, () => texts.stage(id, parts)),

    dropText: (textId) => texts.drop(textId),

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `knowledge_files/${accountId}`,
        request,
        (position, count) =>
          ofAccount(accountId).where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
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

    async putChunk(accountId, id, { number, uploadId, bytes, at }, { fileBytes, account }) {
      const put = async (trx: Transaction) => {
        if (account.bytes !== null) await lockAccount(trx, accountId);
        const file = await lock(trx, accountId, id);
        if (!file) throw new Fault('not_found');
        if (file.status === 'available') {
          const detail = 'This file is already available. Create a new file for other content.';
          throw new Fault('conflict', { detail });
        }
        const otherChunks = await trx
          .selectFrom('knowledge_chunks')
          .select((select) => select.fn.sum('size').as('size'))
          .where('file_id', '=', id)
          .where('number', '<>', number)
          .executeTakeFirst();
        const size = Number(otherChunks?.size ?? 0) + bytes.length;
        if (size > fileBytes) {
          const detail = `The chunks of a file may have at most ${fileBytes / 1024 ** 2} MiB in all.`;
          throw new Fault('too_large', { detail });
        }
        await checkBytes(trx, accountId, size - file.size, account.bytes);
        const encrypted = encryptor.encryptBytes(bytes, chunkPlace(id, number));
        const columns = { upload_id: uploadId, size: bytes.length, bytes: encrypted };
        await trx
          .insertInto('knowledge_chunks')
          .values({ file_id: id, number, ...columns })
          .onConflict((conflict) => conflict.columns(['file_id', 'number']).doUpdateSet(columns))
          .execute();
        await trx
          .updateTable('knowledge_files')
          .set({ size, uploaded_at: at })
          .where('id', '=', id)
          .execute();
      };
      await space.holdRows(bytes.length, db, () => transact(db, put));
    },

    chunks: (id) => chunksOf(db, id),

    async readChunk(id, uploadId) {
      const row = await db
        .selectFrom('knowledge_chunks')
        .select(['number', 'bytes'])
        .where('file_id', '=', id)
        .where('upload_id', '=', uploadId)
        .executeTakeFirst();
      return row ? encryptor.readBytes(row.bytes, chunkPlace(id, row.number)) : null;
    },

    async finish(accountId, id, chunks, { id: textId, size, whole }, limits = NO_LIMITS) {
      const finish = async (trx: Transaction) => {
        if (limits.bytes !== null) await lockAccount(trx, accountId);
        const file = await lock(trx, accountId, id);
        if (file?.status !== 'to-upload') return false;
        if (!areSame(await chunksOf(trx, id), chunks)) return false;
        await checkBytes(trx, accountId, size - file.size, limits.bytes);
        await trx
          .updateTable('knowledge_files')
          .set({
            ...textRows.toColumns(id, { status: 'available', content: whole }),
            text_id: textId,
            size,
          })
          .where('id', '=', id)
          .execute();
        await trx.deleteFrom('knowledge_chunks').where('file_id', '=', id).execute();
        await knowledgeTexts(trx, encryptor).dropOthers(id, textId);
        return true;
      };
      return space.holdRows(whole === null ? 0 : size, db, () => transact(db, finish));
    },
  };
}

/** Locks the file until the transaction ends, so that its chunks do not change. */
const lock = (trx: Transaction, accountId: string, id: string) =>
  trx
    .updateTable('knowledge_files')
    .set((set) => ({ status: set.ref('status') }))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['status', 'size'])
    .executeTakeFirst();

async function chunksOf(db: Database | Transaction, fileId: string): Promise<Chunk[]> {
  const rows = await db
    .selectFrom('knowledge_chunks')
    .select(['number', 'upload_id', 'size'])
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute();
  return rows.map(({ number, upload_id, size }) => ({ number, uploadId: upload_id, size }));
}

const areSame = (chunks: Chunk[], storedChunks: Chunk[]): boolean =>
  chunks.length === storedChunks.length &&
  chunks.every(({ uploadId }, at) => uploadId === storedChunks[at]?.uploadId);

const chunkPlace = (id: string, number: number): string =>
  placeOf('knowledge_chunks', 'bytes', id, number);
