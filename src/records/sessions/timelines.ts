/* What happened in sessions: a row for each stretch that was written at once, gone with the session's own. */
import type { Insertable } from 'kysely';
import { newRecordId } from '#shared/ids.ts';
import type { TimelineEntry } from '#protocol/timeline.ts';
import { isBrokenReference, type Database, type TimelinePartsTable } from '../engine/database.ts';
import { gapsOf, prepare, type Value } from '../engine/prepared.ts';

export type TimelinePart = {
  sessionId: string;
  entries: TimelineEntry[];
  /** How many more there were. */
  leftOut: number;
};

export type Timeline = { entries: TimelineEntry[]; leftOut: number };

export interface TimelineRecords {
  /** In one transaction. Parts of sessions that are not there any more are forgotten. */
  add(parts: readonly TimelinePart[]): Promise<void>;
  /** In the order in which it happened. */
  find(sessionId: string): Promise<Timeline>;
  /** How many entries there are of each of these sessions. */
  count(sessionIds: readonly string[]): Promise<Map<string, number>>;
}

type Row = Insertable<TimelinePartsTable>;

export function timelineRecords(db: Database): TimelineRecords {
  const insert = prepare((value: Value<Row>, row) =>
    db.insertInto('timeline_parts').values(gapsOf(value, row)),
  );
  const addAll = (parts: readonly TimelinePart[]) =>
    db.transaction().execute(async (trx) => {
      // Of each session one row at most.
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
        const there = new Set(rows.map(({ id }) => id));
        await addAll(parts.filter(({ sessionId }) => there.has(sessionId)));
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
        // Workers tell some of it later than it happened.
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
