import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';

export interface StaleUploadRecords {
  /** Deletes uploads without a new chunk since then. Returns how many. Ends early if `isOver`. */
  sweep(cutoff: number, isOver?: () => boolean): Promise<number>;
}

/** Checked again by the deletion, as a chunk may have arrived meanwhile. */
const isStale = (cutoff: number) => sql<boolean>`status = 'to-upload'
  and created_at < ${cutoff} and coalesce(uploaded_at, 0) < ${cutoff}`;
// Earlier versions let agents refer to files that were not submitted. They stay.
const isUnused = sql<boolean>`not exists (
  select 1 from agent_knowledge_files where file_id = knowledge_files.id)`;

export function staleUploadRecords(db: Database): StaleUploadRecords {
  return {
    async sweep(cutoff, isOver = () => false) {
      const stale = await db
        .selectFrom('knowledge_files')
        .select('id')
        .where(isStale(cutoff))
        .where(isUnused)
        .execute();
      let swept = 0;
      // One at a time: a large transaction would make others wait.
      for (const { id } of stale) {
        if (isOver()) break;
        const { numDeletedRows } = await db
          .deleteFrom('knowledge_files')
          .where('id', '=', id)
          .where(isStale(cutoff))
          .executeTakeFirstOrThrow();
        swept += Number(numDeletedRows);
      }
      return swept;
    },
  };
}
