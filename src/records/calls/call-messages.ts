import { isDuplicate, type Database, type Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { Lists } from '../engine/pages.ts';
import { callMessageColumns } from '../engine/tables/call-columns.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';

export type CallMessage = Omit<RecordOf<typeof callMessageColumns>, 'id' | 'callId'>;

export interface CallMessageRecords {
  /**
   * `alongside` runs in the same transaction. False if the call has a message with this id, which
   * stays.
   */
  add(
    callId: string,
    id: string,
    message: CallMessage,
    alongside: (trx: Transaction) => Promise<void>,
  ): Promise<boolean>;
  /** When a message of the call began; null if there is none with this id. */
  sentAt(callId: string, id: string): Promise<number | null>;
  /** Ordered by when each line began: an interrupted line is added after its interruption. */
  list(callId: string, trx?: Transaction): Promise<CallMessage[]>;
}

export function callMessageRecords(
  db: Database,
  encryptor: Encryptor,
  lists: Lists,
): CallMessageRecords {
  const { toRow, toRecord } = recordRows(callMessageColumns, { table: 'call_messages', encryptor });
  return {
    async add(callId, id, message, alongside) {
      const row = {
        ...toRow({ ...message, id: `${callId}/${id}`, callId }),
        listed_at: lists.next(message.sentAt),
      };
      try {
        await db.transaction().execute(async (trx) => {
          await trx.insertInto('call_messages').values(row).execute();
          await alongside(trx);
        });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    async sentAt(callId, id) {
      const row = await db
        .selectFrom('call_messages')
        .select('sent_at')
        .where('id', '=', `${callId}/${id}`)
        .executeTakeFirst();
      return row?.sent_at ?? null;
    },

    async list(callId, trx) {
      const rows = await (trx ?? db)
        .selectFrom('call_messages')
        .selectAll()
        .where('call_id', '=', callId)
        .orderBy('sent_at')
        .orderBy('listed_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => {
        const { id: _id, callId: _callId, ...message } = toRecord(row);
        return message;
      });
    },
  };
}
