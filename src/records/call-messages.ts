import { newRecordId } from '#shared/ids.ts';
import type { Database, Transaction } from './database.ts';
import type { Lists } from './pages.ts';

/** What somebody said in a call; `sentAt` in milliseconds since the epoch. */
export type CallMessage = { sender: 'ai' | 'user'; message: string; sentAt: number };

export interface CallMessageRecords {
  /** `alongside` writes what must be there with the message, or not at all. */
  add(
    callId: string,
    message: CallMessage,
    alongside: (trx: Transaction) => Promise<void>,
  ): Promise<void>;
  /** All of the call, in the order in which they were added. */
  list(callId: string, trx?: Transaction): Promise<CallMessage[]>;
}

export function callMessageRecords(db: Database, lists: Lists): CallMessageRecords {
  return {
    async add(callId, { sender, message, sentAt }, alongside) {
      const row = {
        id: newRecordId(),
        call_id: callId,
        sender,
        message,
        sent_at: sentAt,
        listed_at: lists.next(sentAt),
      };
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('call_messages').values(row).execute();
        await alongside(trx);
      });
    },

    async list(callId, trx) {
      const rows = await (trx ?? db)
        .selectFrom('call_messages')
        .select(['sender', 'message', 'sent_at'])
        .where('call_id', '=', callId)
        .orderBy('listed_at')
        .orderBy('id')
        .execute();
      return rows.map(({ sender, message, sent_at }) => ({ sender, message, sentAt: sent_at }));
    },
  };
}
