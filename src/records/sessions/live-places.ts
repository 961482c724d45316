import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isLive } from './session-queries.ts';
import type { SessionRecord } from './session-row.ts';

export type LivePlaceRecord = Pick<SessionRecord, 'id' | 'epoch' | 'workerId' | 'builtInRoom'>;

const PAGE = 200;

/** Reads in pages, ordered by the index `sessions_live`, and yields to other work in between. */
export async function readLivePlaces(db: Database): Promise<LivePlaceRecord[]> {
  const places: LivePlaceRecord[] = [];
  let position = { accountId: '', fingerprint: '' };
  for (;;) {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'epoch', 'worker_id', 'built_in_room', 'account_id', 'token_fingerprint'])
      .where(isLive)
      .where(
        sql<SqlBool>`(account_id, token_fingerprint) > (${position.accountId}, ${position.fingerprint})`,
      )
      .orderBy('account_id')
      .orderBy('token_fingerprint')
      .limit(PAGE)
      .execute();
    for (const { id, epoch, worker_id: workerId, built_in_room: builtInRoom } of rows)
      places.push({ id, epoch, workerId, builtInRoom });
    const lastRow = rows.at(-1);
    if (!lastRow || rows.length < PAGE) return places;
    position = { accountId: lastRow.account_id, fingerprint: lastRow.token_fingerprint };
    await nextTurn();
  }
}
