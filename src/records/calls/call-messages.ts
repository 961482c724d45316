import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { Fault } from '../../errors.ts';
import { isDuplicate, type Database, type Transaction } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { Lists } from '../engine/pages.ts';
import { callMessageColumns } from '../engine/tables/call-columns.ts';
import type { RecordOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';

export type CallMessage = Omit<RecordOf<typeof callMessageColumns>, 'id' | 'callId'>;

/** At most a megabyte of the longest lines. */
export const PAGE = 50;

/** Far above 90 minutes of talk. Events and evaluations have the whole transcript in memory. */
export const MAX_LINES = 5_000;
/** As stored. */
const MAX_BYTES = 4 * 1024 ** 2;

export interface CallMessageRecords {
  /**
   * `alongside` runs in the same transaction. False if the call has a message with this id, which
   * stays. Throws `too_large` if the transcript is full.
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
  list(callId: string): Promise<CallMessage[]>;
  /** Like `list`. The event loop turns between two pages. */
  pages(callId: string): AsyncGenerator<CallMessage[]>;
}

export function callMessageRecords(
  db: Database,
  encryptor: Encryptor,
  lists: Lists,
): CallMessageRecords {
  const { toRow, toRecord } = recordRows(callMessageColumns, { table: 'call_messages', encryptor });
  const toMessage = (row: Parameters<typeof toRecord>[0]): CallMessage => {
    const { id: _id, callId: _callId, ...message } = toRecord(row);
    return message;
  };
  return {
    async add(callId, id, message, alongside) {
      const row = {
        ...toRow({ ...message, id: `${callId}/${id}`, callId }),
        listed_at: lists.next(message.sentAt),
      };
      try {
        await db.transaction().execute(async (trx) => {
          await checkSize(trx, callId);
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

    async list(callId) {
      const messages: CallMessage[] = [];
      for await (const page of this.pages(callId)) messages.push(...page);
      return messages;
    },

    async *pages(callId) {
      const ofCall = db
        .selectFrom('call_messages')
        .selectAll()
        .where('call_id', '=', callId)
        .orderBy('sent_at')
        .orderBy('listed_at')
        .orderBy('id')
        .limit(PAGE);
      let rows = await ofCall.execute();
      for (;;) {
        if (rows.length > 0) yield rows.map(toMessage);
        const lastRow = rows.at(-1);
        if (!lastRow || rows.length < PAGE) return;
        await nextTurn();
        rows = await ofCall.where(isBehind(lastRow)).execute();
      }
    },
  };
}

async function checkSize(trx: Transaction, callId: string): Promise<void> {
  const { lines, bytes } = await trx
    .selectFrom('call_messages')
    .select(({ fn }) => [
      fn.countAll().as('lines'),
      sql<number | string | null>`sum(octet_length(message))`.as('bytes'),
    ])
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  if (Number(lines) < MAX_LINES && Number(bytes) < MAX_BYTES) return;
  const detail = `A transcript has at most ${MAX_LINES} lines and ${MAX_BYTES / 1024 ** 2} MiB.`;
  throw new Fault('too_large', { detail });
}

const isBehind = ({ sent_at, listed_at, id }: { sent_at: number; listed_at: number; id: string }) =>
  sql<boolean>`(sent_at > ${sent_at} or (sent_at = ${sent_at}
    and (listed_at > ${listed_at} or (listed_at = ${listed_at} and id > ${id}))))`;
