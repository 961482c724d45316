import { isDuplicate, type Database, type Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { Lists } from '../engine/pages.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

/** Latencies of an answer in milliseconds; null: unknown. */
type MessageLatency = {
  transcriptMs: number | null;
  firstTokenMs: number | null;
  firstAudioMs: number | null;
  firstFrameMs: number | null;
};

/**
 * A line of a call, encrypted at rest. `sentAt`: when it began, in milliseconds since the epoch.
 */
export type CallMessage = {
  sender: 'ai' | 'user';
  message: string;
  sentAt: number;
  latency: MessageLatency | null;
};

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
  return {
    async add(callId, id, { sender, message, sentAt, latency }, alongside) {
      const rowId = `${callId}/${id}`;
      const row = {
        id: rowId,
        call_id: callId,
        sender,
        message: encryptor.encrypt(message, placeIn(rowId)),
        sent_at: sentAt,
        listed_at: lists.next(sentAt),
        latency: latency && JSON.stringify(latency),
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
        .select(['id', 'sender', 'message', 'sent_at', 'latency'])
        .where('call_id', '=', callId)
        .orderBy('sent_at')
        .orderBy('listed_at')
        .orderBy('id')
        .execute();
      return rows.map(({ id, sender, message, sent_at: sentAt, latency }) => ({
        sender,
        message: encryptor.readText(message, placeIn(id)),
        sentAt,
        latency: latency === null ? null : (JSON.parse(latency) as MessageLatency),
      }));
    },
  };
}

const placeIn = (id: string): string => placeOf('call_messages', 'message', id);
