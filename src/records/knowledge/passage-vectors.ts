/*
 * Stored embeddings of knowledge file passages, so that a restart does not pay for them again.
 * Encrypted at rest, because text can be guessed from them.
 */
import { isBrokenReference, type Database } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

/** Vectors of consecutive passages of one file: `dimensions` signed bytes each. */
type VectorRun = { number: number; dimensions: number; codes: Uint8Array };

export interface PassageVectorRecords {
  /** Ordered by number, from one on. Vectors of different spaces are not comparable. */
  list(fileId: string, space: string, range: { from: number; limit: number }): Promise<VectorRun[]>;
  /** The first run of a number wins. Does nothing if the file was deleted. */
  keep(fileId: string, space: string, run: VectorRun, createdAt: number): Promise<void>;
  /** Deletes the vectors of these files in one space. */
  forget(fileIds: readonly string[], space: string): Promise<void>;
}

/** Files per statement. */
const BATCH = 500;

export function passageVectorRecords(db: Database, encryptor: Encryptor): PassageVectorRecords {
  /** Keeps a file's two newest spaces; others belong to models or addresses no longer in use. */
  async function forgetOlder(fileId: string): Promise<void> {
    const spaces = await db
      .selectFrom('passage_vectors')
      .select('space')
      .where('file_id', '=', fileId)
      .groupBy('space')
      .orderBy((by) => by.fn.max('created_at'), 'desc')
      .orderBy('space')
      .execute();
    const older = spaces.slice(2).map(({ space }) => space);
    if (older.length === 0) return;
    await db
      .deleteFrom('passage_vectors')
      .where('file_id', '=', fileId)
      .where('space', 'in', older)
      .execute();
  }

  return {
    async list(fileId, space, range) {
      const rows = await db
        .selectFrom('passage_vectors')
        .select(['number', 'dimensions', 'codes'])
        .where('file_id', '=', fileId)
        .where('space', '=', space)
        .where('number', '>=', range.from)
        .orderBy('number')
        .limit(range.limit)
        .execute();
      return rows.map(({ codes, ...run }) => ({
        ...run,
        codes: encryptor.readBytes(codes, placeIn(fileId, space, run.number)),
      }));
    },

    async keep(fileId, space, run, createdAt) {
      const codes = encryptor.encryptBytes(run.codes, placeIn(fileId, space, run.number));
      try {
        await db
          .insertInto('passage_vectors')
          .values({ file_id: fileId, space, ...run, codes, created_at: createdAt })
          .onConflict((conflict) => conflict.columns(['file_id', 'space', 'number']).doNothing())
          .execute();
      } catch (error) {
        if (isBrokenReference(error)) return;
        throw error;
      }
      if (run.number === 0) await forgetOlder(fileId);
    },

    async forget(fileIds, space) {
      for (let at = 0; at < fileIds.length; at += BATCH)
        await db
          .deleteFrom('passage_vectors')
          .where('file_id', 'in', fileIds.slice(at, at + BATCH))
          .where('space', '=', space)
          .execute();
    },
  };
}

const placeIn = (fileId: string, space: string, number: number): string =>
  placeOf('passage_vectors', 'codes', fileId, space, number);
