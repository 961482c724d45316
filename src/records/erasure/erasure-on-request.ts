import { Fault } from '../../errors.ts';
import type { Database, Transaction } from '../engine/database.ts';
import { eraseCalls, eraseSessions } from './conversations.ts';
import type { Erased } from './erased.ts';

/** Writes the receipt in the transaction of the deletion. */
export type WriteReceipt<Receipt> = (trx: Transaction, erased: Erased) => Promise<Receipt>;

type Erase = <Receipt>(
  accountId: string,
  id: string,
  now: number,
  writeReceipt: WriteReceipt<Receipt>,
) => Promise<Receipt | null>;

/** Each returns null if the account has no such thing, and throws `conflict` while it is live. */
export interface ErasureOnRequest {
  /** Throws `conflict` for the session of a call. */
  session: Erase;
  /** With its transcript and sessions. */
  call: Erase;
}

export function erasureOnRequest(db: Database): ErasureOnRequest {
  return {
    session: (accountId, id, now, writeReceipt) =>
      db.transaction().execute(async (trx) => {
        const session = await trx
          .selectFrom('sessions')
          .select(['status', 'call_id'])
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('kind', '=', 'avatar')
          .executeTakeFirst();
        if (!session) return null;
        if (session.status !== 'completed') throw live('session');
        const { call_id: callId } = session;
        const call =
          callId === null
            ? undefined
            : await trx
                .selectFrom('calls')
                .select('id')
                .where('id', '=', callId)
                .executeTakeFirst();
        if (call) {
          const detail = 'The session belongs to a call. Delete the call.';
          throw new Fault('conflict', { detail, about: { call_id: call.id } });
        }
        return writeReceipt(trx, await eraseSessions(trx, accountId, [id], now));
      }),

    call: (accountId, id, now, writeReceipt) =>
      db.transaction().execute(async (trx) => {
        const call = await trx
          .selectFrom('calls')
          .select('status')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst();
        if (!call) return null;
        if (call.status !== 'completed') throw live('call');
        return writeReceipt(trx, await eraseCalls(trx, accountId, [id], now));
      }),
  };
}

const live = (kind: 'session' | 'call'): Fault =>
  new Fault('conflict', { detail: `The ${kind} is live. End it first.` });
