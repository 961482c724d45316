import type { Database } from '../engine/database.ts';

/** Workers that take no new sessions until they are resumed. */
export interface CordonRecords {
  workerIds(): Promise<string[]>;
  /** False if it is cordoned already. */
  add(workerId: string, now: number): Promise<boolean>;
  /** False if it is not cordoned. */
  remove(workerId: string): Promise<boolean>;
  /** Forgets workers that were cordoned before `cutoff`, except those that are connected. */
  forget(cutoff: number, connected: readonly string[]): Promise<void>;
}

export const cordonRecords = (db: Database): CordonRecords => ({
  async workerIds() {
    const rows = await db.selectFrom('cordons').select('worker_id').execute();
    return rows.map(({ worker_id }) => worker_id);
  },

  async add(workerId, now) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('cordons')
      .values({ worker_id: workerId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  async remove(workerId) {
    const { numDeletedRows } = await db
      .deleteFrom('cordons')
      .where('worker_id', '=', workerId)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  },

  async forget(cutoff, connected) {
    const old = await db
      .selectFrom('cordons')
      .select('worker_id')
      .where('created_at', '<', cutoff)
      .execute();
    const goneWorkers = old.filter(({ worker_id }) => !connected.includes(worker_id));
    for (const { worker_id } of goneWorkers)
      await db.deleteFrom('cordons').where('worker_id', '=', worker_id).execute();
  },
});
