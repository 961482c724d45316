/* Timelines of sessions: one row per batch of entries, deleted with the session. */
import type { Insertable } from 'kysely';
import { newRecordId } from '#shared/ids.ts';
import type { TimelineEntry } from '#protocol/timeline.ts';
import { isBrokenReference, type Database } from '../engine/database.ts';
import type { TimelinePartsTable } from '../engine/tables/tables.ts';
import { placeholdersOf, prepare, type Value } from '../engine/prepared.ts';

export type TimelinePart = {
  sessionId: string;
  entries: TimelineEntry[];
  /** Number of entries dropped. */
  leftOut: number;
};

export type Timeline = { entries: TimelineEntry[]; leftOut: number };

export interface TimelineRecords {
  /** Adds the parts in one transaction. Skips parts of deleted sessions. */
  add(parts: readonly TimelinePart[]): Promise<void>;
  /** Entries ordered by time. */
  find(sessionId: string): Promise<Timeline>;
  /** Number of entries by session id. */
  count(sessionIds: readonly string[]): Promise<Map<string, number>>;
}

type Row = Insertable<TimelinePartsTable>;

export function timelineRecords(db: Database): TimelineRecords {
  const insert = prepare((value: Value<Row>, row) =>
    db.insertInto('timeline_parts').values(placeholdersOf(value, row)),
  );
  const addAll = (parts: readonly TimelinePart[]) =>
    db.transaction().execute(async (trx) => {
      // One id suffices: `parts` holds each session once.
      const id = newRecordId();
      for (const part of parts) await insert(trx, toRow(id, part));
    });

  return {
    async add(parts) {
      try {
        await addAll(parts);
      } catch (error) {
        if (!isBrokenReference(error)) throw error;
        const ids = parts.map(({ sessionId }) => sessionId);
        const rows = await db.selectFrom('sessions').select('id').where('id', 'in', ids).execute();
        const existing = new Set(rows.map(({ id }) => id));
        await addAll(parts.filter(({ sessionId }) => existing.has(sessionId)));
      }
    },

    async find(sessionId) {
      const rows = await db
        .selectFrom('timeline_parts')
        .select(['entries', 'left_out'])
        .where('session_id', '=', sessionId)
        .orderBy('id')
        .execute();
      const entries = rows.flatMap(({ entries }) => JSON.parse(entries) as TimelineEntry[]);
      return {
        // Workers report some entries late.
        entries: entries.toSorted((a, b) => a.at - b.at),
        leftOut: rows.reduce((sum, row) => sum + row.left_out, 0),
      };
    },

    async count(sessionIds) {
      const rows = await db
        .selectFrom('timeline_parts')
        .select(({ fn }) => ['session_id', fn.sum<number | string>('kept').as('kept')])
        .where('session_id', 'in', sessionIds)
        .groupBy('session_id')
        .execute();
      return new Map(rows.map(({ session_id, kept }) => [session_id, Number(kept)]));
    },
  };
}

const toRow = (id: string, { sessionId, entries, leftOut }: TimelinePart): Row => ({
  session_id: sessionId,
  id,
  entries: JSON.stringify(entries),
  kept: entries.length,
  left_out: leftOut,
});
