/*
 * Stores texts of knowledge files in pieces that are encrypted one by one, so that other requests
 * have their turn between two pieces of a long text. The text of an upload is staged before its
 * file refers to it, so that no transaction lasts as long as the text; that of a new file has one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { charBorder } from '#shared/char-border.ts';
import { newRecordId } from '#shared/ids.ts';
import { Fault } from '../../errors.ts';
import { isBrokenReference, type Database, type Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

/** `size`: of the text in UTF-8. */
export type StoredText = { id: string; size: number };

/** `whole`: for versions before migration 0032. Null if it is longer than `WHOLE_BYTES`. */
export type StagedText = StoredText & { whole: string | null };

/** Some 300,000 words. Encrypted at once, which takes several times the memory. */
export const WHOLE_BYTES = 2 * 1024 ** 2;

/** Characters of a piece. Reading and sending one takes a few milliseconds. */
export const PIECE_CHARS = 128 * 1024;

export function knowledgeTexts(db: Database | Transaction, encryptor: Encryptor) {
  return {
    /** Null behind the last piece. */
    async piece(textId: string, number: number): Promise<string | null> {
      const row = await db
        .selectFrom('knowledge_texts')
        .select('bytes')
        .where('text_id', '=', textId)
        .where('number', '=', number)
        .executeTakeFirst();
      if (!row) return null;
      return Buffer.from(encryptor.readBytes(row.bytes, pieceAt(textId, number))).toString();
    },

    /** Throws `conflict` if the file was deleted meanwhile, or like `parts`. */
    async stage(
      fileId: string,
      parts: Iterable<string> | AsyncIterable<string>,
    ): Promise<StagedText> {
      const stagedText: StagedText = { id: newRecordId(), size: 0, whole: '' };
      let number = 0;
      try {
        for await (const piece of piecesOf(parts)) {
          const clear = Buffer.from(piece);
          const bytes = encryptor.encryptBytes(clear, pieceAt(stagedText.id, number));
          const row = { text_id: stagedText.id, number, file_id: fileId, bytes };
          await db.insertInto('knowledge_texts').values(row).execute();
          stagedText.size += clear.length;
          stagedText.whole = stagedText.size > WHOLE_BYTES ? null : `${stagedText.whole}${piece}`;
          number += 1;
          await nextTurn();
        }
        return stagedText;
      } catch (error) {
        // In a failed transaction this fails, too, and is not needed.
        await this.drop(stagedText.id).catch(() => {});
        if (isBrokenReference(error))
          throw new Fault('conflict', { detail: 'The file was deleted meanwhile.', cause: error });
        throw error;
      }
    },

    async drop(textId: string): Promise<void> {
      await db.deleteFrom('knowledge_texts').where('text_id', '=', textId).execute();
    },

    /** Deletes what other submits of the file have staged. */
    async dropOthers(fileId: string, textId: string): Promise<void> {
      await db
        .deleteFrom('knowledge_texts')
        .where('file_id', '=', fileId)
        .where('text_id', '<>', textId)
        .execute();
    },
  };
}

/** Pieces of about equal length, none of which ends within a character. */
async function* piecesOf(parts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const part of parts) {
    let from = 0;
    while (waiting.length + part.length - from >= PIECE_CHARS) {
      const end = charBorder(part, from + PIECE_CHARS - waiting.length);
      yield waiting + part.slice(from, end);
      [waiting, from] = ['', end];
    }
    waiting += part.slice(from);
  }
  if (waiting !== '') yield waiting;
}

const pieceAt = (textId: string, number: number): string =>
  placeOf('knowledge_texts', 'bytes', textId, number);
