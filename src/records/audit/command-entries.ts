import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';

type CommandEntry = {
  /** Null: the installation. */
  accountId: string | null;
  /** For example `npm run key`. */
  command: string;
  action: string;
  targetId: string;
  createdAt: number;
};

/** Without states: a command may not have the key that encrypts them. */
export async function addCommandEntry(db: Database, entry: CommandEntry): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      id: newRecordId(),
      account_id: entry.accountId,
      actor_type: 'command',
      actor_id: null,
      actor_name: entry.command,
      address: null,
      action: entry.action,
      target_id: entry.targetId,
      before_sealed: null,
      after_sealed: null,
      created_at: entry.createdAt,
      listed_at: entry.createdAt * 1000,
    })
    .execute();
}
