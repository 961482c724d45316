/* What passages of knowledge files mean, as the numbers that a model made of them: kept, so that a restart need not pay for them again. */
import { isBrokenReference, type Database } from './engine/database.ts';

/** Of a run of passages of one file: `codes` has `dimensions` signed bytes for each of them. */
export type VectorRun = { number: number; dimensions: number; codes: Uint8Array };

export interface PassageVectorRecords {
  /** Of one file, in the order of their numbers. Those of two spaces cannot be compared. */
  list(fileId: string, space: string): Promise<VectorRun[]>;
  /** Of one number the first is kept. Nothing happens when the file is not there any more. */
  keep(fileId: string, space: string, run: VectorRun, createdAt: number): Promise<void>;
  /** Of these files, whatever their number. */
  forget(fileIds: readonly string[], space: string): Promise<void>;
}

/** So many files are named in one statement. */
const AT_ONCE = 500;

export function passageVectorRecords(db: Database): PassageVectorRecords {
  /** Of the spaces that a file is kept in only the newest two: that of another model, or of another address, comes in their place. */
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
    async list(fileId, space) {
      return db
        .selectFrom('passage_vectors')
        .select(['number', 'dimensions', 'codes'])
        .where('file_id', '=', fileId)
        .where('space', '=', space)
        .orderBy('number')
        .execute();
    },

    async keep(fileId, space, run, createdAt) {
      try {
        await db
          .insertInto('passage_vectors')
          .values({ file_id: fileId, space, ...run, created_at: createdAt })
          .onConflict((conflict) => conflict.columns(['file_id', 'space', 'number']).doNothing())
          .execute();
      } catch (error) {
        if (isBrokenReference(error)) return;
        throw error;
      }
      if (run.number === 0) await forgetOlder(fileId);
    },

    async forget(fileIds, space) {
      for (let at = 0; at < fileIds.length; at += AT_ONCE)
        await db
          .deleteFrom('passage_vectors')
          .where('file_id', 'in', fileIds.slice(at, at + AT_ONCE))
          .where('space', '=', space)
          .execute();
    },
  };
}
