import type { Database } from '../engine/database.ts';
import { isLive } from './session-queries.ts';
import type { SessionRecord } from './session-row.ts';

/** A live session of a worker, with what limits its length. */
export type WorkerSession = Pick<
  SessionRecord,
  'id' | 'kind' | 'status' | 'createdAt' | 'startedAt' | 'maxLengthMinutes' | 'callId'
> & { workerId: string };

/** Names in one statement. */
const PAGE = 200;

export async function readWorkerSessions(
  db: Database,
  workerIds: readonly string[],
): Promise<WorkerSession[]> {
  const sessions: WorkerSession[] = [];
  for (let from = 0; from < workerIds.length; from += PAGE) {
    const rows = await db
      .selectFrom('sessions')
      .select([
        'id',
        'kind',
        'status',
        'worker_id as workerId',
        'created_at as createdAt',
        'started_at as startedAt',
        'max_length_minutes as maxLengthMinutes',
        'call_id as callId',
      ])
      .where(isLive)
      .where('worker_id', 'in', workerIds.slice(from, from + PAGE))
      .$narrowType<{ workerId: string }>()
      .execute();
    sessions.push(...rows);
  }
  return sessions;
}
